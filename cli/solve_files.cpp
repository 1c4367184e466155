// SPDX-License-Identifier: EPL-2.0
#include "cli/solve_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/tree_certificate.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "readers/number.hpp"
#include "shell/failure.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {

using namespace shell;

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostTreeBytes = std::size_t{1} << 30;

std::string reason() {
  return std::generic_category().message(errno != 0 ? errno : EIO);
}

}  // namespace

double checkpointInterval(std::string const& text) {
  double const seconds = readers::wholeNumber<double>(text).value_or(0.0);
  constexpr double longest = 1e9;  // 31 years: a clock can count to its end
  if (!(seconds > 0.0) || seconds > longest)
    throw Failure(
        ExitStatus::usage,
        "--checkpoint-interval: expected a number > 0 and <= 1e9 of seconds, found '" + text + "'");
  return seconds;
}

CheckpointFile::CheckpointFile(std::string path, double interval,
                               std::function<void(std::string const&)> notice)
    : path_(std::move(path)), interval_(interval), notice_(std::move(notice)) {
  std::error_code ignored;
  fs::file_status const about = fs::status(path_, ignored);
  bool const isOther = fs::exists(about) && !fs::is_regular_file(about) && !fs::is_directory(about);
  if (path_ == "-" || isOther)
    throw Failure(ExitStatus::usage,
                  "--checkpoint needs a file that can be replaced, not '" + path_ + "'");
  checkWritable(path_);
}

void CheckpointFile::begin(LinearProgram const& lp, readers::SavedSolve const* before) {
  lp_ = &lp;
  model_ = before ? before->model : fingerprintOf(lp);
  if (before) {
    iterationsBefore_ = before->iterations;
    secondsBefore_ = before->seconds;
    write(*before);
  }
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
}

void CheckpointFile::write(Checkpoint const& checkpoint) {
  write({model_, checkpoint.status, checkpoint.algorithm, iterationsBefore_ + checkpoint.iterations,
         secondsBefore_ + checkpoint.seconds, checkpoint.basis});
}

void CheckpointFile::write(readers::SavedSolve const& saved) {
  write(readers::writeCheckpointText(*lp_, saved));
}

void CheckpointFile::write(std::string const& text) {
  Clock::time_point const begin = Clock::now();
  try {
    writeTextFile(path_, text);
    failing_ = false;
  } catch (Failure const& failure) {
    if (!failing_)
      notice_(concat("The checkpoint is an old one: ", failure.what(),
                     "; the solve continues and will try again."));
    failing_ = true;
  }
  // A slow disk may take a tenth of the time, not more.
  std::chrono::duration<double> const pause =
      std::max(interval_, 10.0 * std::chrono::duration<double>(Clock::now() - begin));
  next_ = begin + std::chrono::duration_cast<Clock::duration>(pause);
}

std::string traceLine(TraceEvent const& event) {
  Json line;
  line["event"] = event.kind;
  line["seconds"] = event.seconds;
  line["iterations"] = event.iterations;
  for (TraceField const& field : event.fields)
    std::visit([&](auto const& value) { line[field.name] = value; }, field.value);
  constexpr int oneLine = -1;
  return line.dump(oneLine, ' ', false, Json::error_handler_t::replace);
}

TraceFile::TraceFile(std::string path, std::function<void(std::string const&)> notice)
    : path_(std::move(path)), notice_(std::move(notice)) {
  if (path_ == "-")
    throw Failure(ExitStatus::usage,
                  "--trace needs the name of a file: standard output is for the result");
  errno = 0;
  out_.open(path_, std::ios::binary | std::ios::trunc);
  if (!out_) throw Failure(ExitStatus::cannotWrite, "can't write '" + path_ + "': " + reason());
}

void TraceFile::begin(std::string const& file, Options const& options) {
  TraceEvent event;
  event.kind = "begin";
  event.fields = {{"version", OSI_CUDA_VERSION}, {"file", file}};
  for (OptionRecord const& record : optionTable()) {
    std::string const text = record.get(options);
    if (text != record.defaultText) event.fields.push_back({record.name.c_str(), text});
  }
  write(event);
}

void TraceFile::write(TraceEvent const& event) {
  if (!out_) return;
  errno = 0;
  out_ << traceLine(event) << '\n' << std::flush;
  if (!out_) notice_("The trace ends here: can't write '" + path_ + "': " + reason());
}

std::optional<std::string> TraceFile::basisPath() const {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path_, ignored)) return std::nullopt;
  return path_ + ".bas";
}

ProofFile::ProofFile(std::string path, bool integers,
                     std::function<void(std::string const&)> notice)
    : path_(std::move(path)), notice_(std::move(notice)) {
  if (path_.empty()) return;
  keepsTree_ = integers && path_.ends_with(".vipr");
  if (!integers) format_ = readers::proofFormatForName(path_);
  if (keepsTree_ || format_ || (integers && path_.ends_with(".tree"))) return;
  throw Failure(ExitStatus::usage, "--proof: ",
                integers ? "with --integers a file that ends in .tree or .vipr"
                         : "a file that ends in .json or .vipr",
                " is expected, found '", path_, "'");
}

ProofFile::Lines ProofFile::beginTree() {
  if (path_.empty()) return {};
  if (keepsTree_)
    return [this](std::string_view lines) {
      if (lines_.size() <= mostTreeBytes) lines_ += lines;
    };
  tree_.open(path_, std::ios::binary | std::ios::trunc);
  return [this](std::string_view lines) { tree_ << lines; };
}

void ProofFile::endTree() {
  if (!tree_.is_open()) return;
  if (!tree_.flush()) throw Failure(ExitStatus::cannotWrite, "can't write '" + path_ + "'");
  tree_.close();
}

ExitStatus ProofFile::write(LinearProgram const& lp, Solution const& solution, ExactNumbers numbers,
                            rational::Meanings& fractions, std::function<bool()> const& stop) {
  ExitStatus unwritable = ExitStatus::cannotWrite;
  try {
    if (keepsTree_) {
      TreeCertificate const proof = certificateOfTree(lp, lines_, solution, stop, mostTreeBytes);
      writeTextFile(path_, readers::writeTreeProofText(lp, proof));
      if (!proof.bound.empty() && proof.point.empty())
        notice_(path_ + " proves the bound alone: no point is known that is feasible exactly.");
    } else if (format_) {
      ExactProof const& exact = solution.exact;
      ExactCertificate certificate;
      certificate.message = exact.message;
      if (exact.known() || !exact.tried)
        certificate = certificateOf(lp, solution, stop, numbers, &fractions);
      if (!certificate.proved) unwritable = ExitStatus::numerical;
      writeTextFile(path_, readers::writeProofText(lp, certificate, *format_));
    }
    return ExitStatus::optimal;
  } catch (NoTreeProof const& error) {
    notice_(path_ + " is not written: " + error.what());
    return ExitStatus::numerical;
  } catch (readers::WriteError const& error) {
    notice_(path_ + " is not written: " + error.what());
    return unwritable;
  }
}

}  // namespace osi_cuda::cli
