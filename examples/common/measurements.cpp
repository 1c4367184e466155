// SPDX-License-Identifier: EPL-2.0
#include "examples/common/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "examples/common/records.hpp"
#include "shell/csv_table.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples {
namespace {

constexpr char header[] =
    "series,problem,size,form,seconds,bytes,iterations,error,ok,executor,note";

/// A cell in quotes.
std::string quoted(std::string const& text) {
  std::string cell = "\"";
  for (char const c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

/// `name` behind the last of `names` where it is not among them.
void addOnce(std::vector<std::string>& names, std::string const& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string cellOf(Measurement const& m) {
  std::string cell = shell::shortNumber(1e3 * m.seconds, 4);
  if (m.iterations > 0.0) cell += fmt::format(" ({:.0f})", m.iterations);
  return m.ok ? cell : cell + " wrong";
}

struct ExperimentChoice {
  std::string kind, results;
  bool quiet = false;
};

}  // namespace

void append(std::string const& path, Measurement const& m) {
  std::error_code ignored;
  bool const isNew = !std::filesystem::exists(path, ignored);
  std::ofstream file(path, std::ios::app);
  if (isNew) file << header << '\n';
  file << fmt::format("{},{},{},{},{:.7g},{:.7g},{:.7g},{:.3g},{},{},{}", quoted(m.series),
                      quoted(m.problem), m.size, quoted(m.form), m.seconds, m.bytes, m.iterations,
                      m.error, int(m.ok), quoted(m.executor), quoted(m.note))
       << std::endl;
  if (!file) throw Failure(ExitStatus::cannotWrite, "can't write " + path);
}

std::vector<Measurement> readMeasurements(std::string const& path) {
  shell::CsvTable table(path);
  std::vector<std::size_t> place;
  for (char const* const name :
       {"series", "problem", "size", "form", "seconds", "iterations", "ok", "executor"})
    place.push_back(table.need(name));
  auto const number = [&](std::size_t column) {
    std::string const text = table.text(column);
    try {
      return std::stod(text);
    } catch (std::exception const&) {
      table.fail(column, "a number");
    }
  };
  std::vector<Measurement> all;
  while (table.next())
    all.push_back({table.text(place[0]), table.text(place[1]), number(place[2]),
                   table.text(place[3]), number(place[4]), 0.0, number(place[5]), 0.0,
                   number(place[6]) != 0.0, table.text(place[7]), ""});
  return all;
}

std::string tablesOf(std::vector<Measurement> const& all) {
  std::vector<std::string> names;
  for (Measurement const& m : all) addOnce(names, m.series);
  std::string text;
  for (std::string const& series : names) {
    std::vector<std::string> problems, forms;
    std::map<std::string, double> size;
    std::map<std::pair<std::string, std::string>, std::string> cells;
    for (Measurement const& m : all) {
      if (m.series != series) continue;
      addOnce(problems, m.problem);
      addOnce(forms, m.form);
      size[m.problem] = m.size;
      cells[{m.form, m.problem}] = cellOf(m);
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [&](std::string const& a, std::string const& b) { return size[a] < size[b]; });
    std::vector<std::vector<std::string>> lines{{"form"}};
    lines[0].insert(lines[0].end(), problems.begin(), problems.end());
    for (std::string const& form : forms) {
      auto& line = lines.emplace_back(1, form);
      for (std::string const& problem : problems) {
        auto const found = cells.find({form, problem});
        line.push_back(found == cells.end() ? "-" : found->second);
      }
    }
    text +=
        fmt::format("## {}\n\nMilliseconds (iterations):\n\n{}\n", series, markdownTable(lines));
  }
  return text;
}

Command experimentCommand(std::map<std::string, Series> const& series,
                          std::function<void(CLI::App&)> const& addOptions) {
  return {"experiment", "measure the forms of one kind of work", [=](CLI::App& app) {
            auto const a = std::make_shared<ExperimentChoice>();
            std::string kinds;
            for (auto const& [name, run] : series) kinds += (kinds.empty() ? "" : ", ") + name;
            app.add_option("KIND", a->kind, kinds)->required()->check(CLI::IsMember(series));
            app.add_option("--results", a->results, "CSV file to append to")->type_name("FILE");
            app.add_flag("--quiet", a->quiet, "no line per measurement");
            addOptions(app);
            return Run([=] {
              bool allOk = true;
              series.at(a->kind)([&](Measurement const& m) {
                if (!a->results.empty()) append(a->results, m);
                allOk = allOk && m.ok;
                if (!a->quiet)
                  std::cerr << fmt::format("{}, {}, {}: {:.4g} ms, error {:.1e}{}{}\n", m.series,
                                           m.problem, m.form, 1e3 * m.seconds, m.error,
                                           m.note.empty() ? "" : ", " + m.note,
                                           m.ok ? "" : " (wrong)");
              });
              return allOk ? ExitStatus::optimal : ExitStatus::disagreement;
            });
          }};
}

Command reportCommand() {
  return {"report", "tables of measurements, as Markdown", [](CLI::App& app) {
            auto const path = std::make_shared<std::string>();
            app.add_option("FILE", *path, "CSV file of experiments")->required();
            return Run([path] {
              std::cout << tablesOf(readMeasurements(*path));
              return ExitStatus::optimal;
            });
          }};
}

}  // namespace osi_cuda::examples
