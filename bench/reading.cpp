// SPDX-License-Identifier: EPL-2.0
// Times reading alone; docs/evidence/reading.sh runs it and whole processes beside it.
//     bench_reading write FOLDER [--size ROWSxCOLUMNS]     a dense problem of family origin as
//                     dense.mps (free MPS, two entries a line), dense.npz, dense.lp
//     bench_reading read FILE [--threads N]... [--repeats N] [--by-line]     a line for each N
// Seconds are medians of wall time; MB/s a core counts the processor time of all threads.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/dense_arguments.hpp"
#include "bench/dense_model.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "readers/output.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "shell/program.hpp"

using namespace osi_cuda;

namespace {

double processorTime() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double megabytes(std::string const& path) {
  return static_cast<double>(std::filesystem::file_size(path)) * 1e-6;
}

struct Arguments {
  std::string folder, file;
  std::string size = "5000x2500";
  int repeats = 5;
  std::vector<int> threads;
  bool byLine = false;
};

// ---- write -------------------------------------------------------------------------------------

/// Free MPS with two entries a line, as many programs write it; minus the costs, to be minimized.
std::string denseMps(LinearProgram const& lp) {
  std::string text = "NAME dense FREE\nROWS\n N COST\n";
  std::vector<std::string> rows;
  for (int i = 0; i < lp.rows(); ++i) {
    rows.push_back(" r" + std::to_string(i + 1) + ' ');
    text += " L" + rows.back() + '\n';
  }
  text += "COLUMNS\n";
  for (int j = 0; j < lp.columns(); ++j) {
    std::string const name = " x" + std::to_string(j + 1);
    text += name + " COST " + readers::shortest(-lp.objective[static_cast<std::size_t>(j)]);
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (k % 2 == 0) text += '\n' + name;
      text += rows[static_cast<std::size_t>(indices[k])] + readers::shortest(values[k]);
    }
    text += '\n';
  }
  text += "RHS\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += " b" + rows[i] + readers::shortest(lp.rowUpper[i]) + '\n';
  return text + "ENDATA\n";
}

shell::ExitStatus write(Arguments const& arguments) {
  std::string const start = arguments.folder + "/dense";
  bench::DenseArguments problem;
  problem.sizeTexts = {arguments.size};
  bench::DenseSize const size = problem.sizes().front();
  LinearProgram const lp =
      bench::denseModel(bench::DenseFamily::origin, size.rows, size.columns, 1);
  std::string const text = denseMps(lp);
  readers::Output out(start + ".mps");
  out << text;
  out.close();
  readers::ReadResult const model = readers::readText(text, "dense");
  readers::write(start + ".npz", model.lp, readers::FileFormat::npz);
  readers::write(start + ".lp", model.lp, readers::FileFormat::cplexLp);
  for (char const* const ending : {".mps", ".npz", ".lp"})
    std::printf("%s%s: %.1f MB\n", start.c_str(), ending, megabytes(start + ending));
  return shell::ExitStatus::optimal;
}

// ---- read --------------------------------------------------------------------------------------

shell::ExitStatus read(Arguments const& arguments) {
  std::string const& file = arguments.file;
  double const size = megabytes(file);
  std::vector<int> const threads = arguments.threads.empty() ? std::vector{0} : arguments.threads;
  for (int const count : threads) {
    readers::ReadOptions options;
    options.threads = count;
    options.pieces.lineByLine = arguments.byLine;
    std::vector<double> seconds, processor;
    std::int64_t entries = 0;
    for (int k = 0; k < arguments.repeats; ++k) {
      double const used = processorTime();
      Stopwatch const watch;
      readers::ReadResult const result = readers::read(file, options);
      seconds.push_back(watch.seconds());
      processor.push_back(processorTime() - used);
      entries = result.lp.matrix.nonzeros();
    }
    std::printf(
        "%s, threads %d: %.3f s, %.0f MB/s; processor %.3f s, %.0f MB/s a core; %lld entries\n",
        file.c_str(), count, median(seconds), size / median(seconds), median(processor),
        size / median(processor), static_cast<long long>(entries));
    std::fflush(stdout);
  }
  return shell::ExitStatus::optimal;
}

shell::Run setUpWrite(CLI::App& app) {
  auto const a = std::make_shared<Arguments>();
  app.add_option("FOLDER", a->folder, "where the files go")->required();
  app.add_option("--size", a->size, "ROWSxCOLUMNS [5000x2500]");
  return [a] { return write(*a); };
}

shell::Run setUpRead(CLI::App& app) {
  auto const a = std::make_shared<Arguments>();
  app.add_option("FILE", a->file, "a linear program")->required();
  app.add_option("--threads", a->threads, "any number of times; 0: as many as pay off [0]")
      ->allow_extra_args(false);
  app.add_option("--repeats", a->repeats, "of which the median counts [5]")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--by-line", a->byLine, "line by line, not in pieces");
  return [a] { return read(*a); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runProgram("bench_reading", "Times reading alone.",
                           {{"write", "write a dense problem in three formats", setUpWrite},
                            {"read", "time this project's readers", setUpRead}},
                           count, words);
}
