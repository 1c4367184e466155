// SPDX-License-Identifier: EPL-2.0
// Files, read and written by the project's own readers.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "CoinMpsIO.hpp"
#include "osi/state.hpp"
#include "readers/basis_file.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"

namespace osi = osi_cuda::osi;
namespace readers = osi_cuda::readers;
using osi_cuda::LinearProgram;
using osi_cuda::Sense;

namespace {

std::string fullName(char const* filename, char const* extension) {
  std::string name = filename;
  if (extension && *extension) name += std::string(".") + extension;
  return name;
}

/// Without opening it: a pipe that was opened and closed again has lost what its writer wrote.
bool exists(std::string const& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

/// The file that is meant: `name`, with or without the extension, or compressed.
std::string findFile(char const* filename, char const* extension) {
  std::string name = fullName(filename, extension);
  for (std::string const& stem : {name, std::string(filename)})
    for (char const* const ending : {"", ".gz", ".bz2", ".xz", ".zst"})
      if (exists(stem + ending)) return stem + ending;
  return name;
}

/// What is written through Osi is read through Osi.
constexpr readers::WriteOptions forCoinUtils{.keepShape = true};

}  // namespace

// Everything is read before anything changes.
int OsiCudaSolverInterface::readFile(std::string const& path, readers::Format format) {
  readers::ReadOptions const options{.format = format,
                                     .infiniteFrom = state_->options.infiniteFrom,
                                     .freeColumns = readers::FreeColumns::lowerOnly};
  try {
    readers::ReadResult result = readers::read(path, options);
    for (std::string const& notice : result.notices) osi::say(*handler_, 10, 1, notice);
    // As CoinUtils reads it, an MPS file's name ends at a blank.
    if (format == readers::Format::mps)
      result.lp.name.resize(std::min(result.lp.name.find(' '), result.lp.name.size()));
    takeFile(result.lp, format == readers::Format::cplexLp);
    return 0;
  } catch (readers::OpenError const& e) {
    osi::say(*handler_, 11, 0, e.what(), 'W');
    return -1;
  } catch (readers::ReadError const& e) {
    osi::say(*handler_, 12, 0, e.what(), 'W');
    return 1;
  } catch (std::bad_alloc const&) {
    osi::refuse("readFile", "not enough memory to read ", path);
  }
}

// The offset comes first: it is a parameter, and belongs to the file. So does a sense that the file
// names: an LP file always does, an MPS file only to maximise; else the sense stays as it was set.
void OsiCudaSolverInterface::takeFile(LinearProgram const& lp, bool namesSense) {
  setDblParam(OsiObjOffset, 0.0 - lp.objectiveOffset);
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
              lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
              lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  if (namesSense || lp.sense == Sense::maximize)
    setObjSense(lp.sense == Sense::maximize ? -1.0 : 1.0);
  state_->choices = lp.choices;
  setStrParam(OsiProbName, lp.name);
  takeNames(lp);
  for (std::size_t j = 0; j < lp.integer.size(); ++j)
    if (lp.integer[j]) setInteger(static_cast<int>(j));
}

int OsiCudaSolverInterface::readMps(char const* filename, char const* extension) {
  int const fault = readFile(findFile(filename, extension), readers::Format::mps);
  if (fault == 0 && !state_->choices.sets.empty())
    osi::say(
        *handler_, 10, 1,
        "The special ordered sets of the file are for branchAndBound(); a CbcModel takes those "
        "that readMps() hands over.");
  return fault;
}

int OsiCudaSolverInterface::readMps(char const* filename, char const* extension, int& numberSets,
                                    CoinSet**& sets) {
  numberSets = 0;
  sets = nullptr;
  int const fault = readFile(findFile(filename, extension), readers::Format::mps);
  if (fault != 0 || state_->choices.sets.empty()) return fault;
  sets = new CoinSet*[state_->choices.sets.size()];
  for (osi_cuda::OrderedSet const& set : state_->choices.sets)
    sets[numberSets++] = new CoinSosSet(static_cast<int>(set.columns.size()), set.columns.data(),
                                        set.weights.data(), set.type);
  return 0;
}

int OsiCudaSolverInterface::writeBasisNative(char const* filename) const {
  try {
    readers::writeBasis(filename, modelForFile(0.0), state_->basis);
    return 0;
  } catch (readers::WriteError const& e) {
    osi::say(*handler_, 15, 0, e.what(), 'W');
    return 1;
  }
}

// `epsilon` is for readers that round; this one does not.
int OsiCudaSolverInterface::readLp(char const* filename, double) {
  return readFile(findFile(filename, "lp"), readers::Format::cplexLp);
}

// The problem with its names: those that were given, or Osi's own. Osi's files always minimise, as
// CoinUtils ignores OBJSENSE; `objSense` < 0 negates once more.
LinearProgram OsiCudaSolverInterface::modelForFile(double objSense, bool useRowNames) const {
  double const offset = doubleParam(OsiObjOffset);
  LinearProgram lp = state_->model(offset);
  getStrParam(OsiProbName, lp.name);
  lp.objectiveName = getObjName();
  lp.integer = state_->integer;
  lp.choices = state_->choices;
  for (int i = 0; useRowNames && i < state_->rows(); ++i) lp.rowNames.push_back(getRowName(i));
  for (int j = 0; j < state_->columns(); ++j) lp.columnNames.push_back(getColName(j));
  if ((lp.sense == Sense::maximize) != (objSense < 0.0)) {
    for (double& cost : lp.objective) cost = 0.0 - cost;
    lp.objectiveOffset = 0.0 - lp.objectiveOffset;
  }
  lp.sense = Sense::minimize;
  return lp;
}

void OsiCudaSolverInterface::writeMps(char const* filename, char const* extension,
                                      double objSense) const {
  writeFile(fullName(filename, extension), modelForFile(objSense), readers::FileFormat::freeMps);
}

// Numbers are written so that they read back as they are, whatever `epsilon` and `decimals` say.
void OsiCudaSolverInterface::writeLp(char const* filename, char const* extension, double, int, int,
                                     double objSense, bool useRowNames) const {
  writeFile(fullName(filename, extension), modelForFile(objSense, useRowNames),
            readers::FileFormat::cplexLp);
}

void OsiCudaSolverInterface::writeLp(FILE* file, double, int, int, double objSense,
                                     bool useRowNames) const {
  try {
    std::string const text = readers::writeText(modelForFile(objSense, useRowNames),
                                                readers::FileFormat::cplexLp, forCoinUtils);
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
      osi::refuse("writeLp", "the file can't be written");
  } catch (readers::WriteError const& e) {
    osi::refuse("writeLp", e.what());
  }
}

void OsiCudaSolverInterface::writeFile(std::string const& path, LinearProgram const& lp,
                                       readers::FileFormat format) const {
  try {
    auto const result = readers::write(path, lp, format, forCoinUtils);
    for (std::string const& notice : result.notices) osi::say(*handler_, 13, 1, notice);
  } catch (readers::WriteError const& e) {
    osi::refuse("writeFile", e.what());
  } catch (readers::OpenError const& e) {
    osi::refuse("writeFile", e.what());
  }
}
