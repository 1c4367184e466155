// SPDX-License-Identifier: EPL-2.0
#include "cli/iis_report.hpp"

#include <algorithm>
#include <sstream>

#include "readers/write.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::ptrdiff_t count, char const* one, char const* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string claim(InfeasibleSubsystem const& found) {
  if (found.members.size() == 1) return "can't be met";
  if (found.irreducible) return "contradict each other; without any one of them the others do not";
  return "contradict each other; not yet irreducible: some of them may not be needed";
}

char const* commentMark(readers::FileFormat format) {
  if (format == readers::FileFormat::lpSolveLp) return "// ";
  return format == readers::FileFormat::cplexLp ? "\\ " : "* ";
}

/// A name within a line of comment.
std::string oneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

std::string sideText(LinearProgram const& lp, Side const& side) {
  return std::string(side.isRow() ? "row " : "column ") + nameOf(lp, side) +
         (side.isLower() ? " is at least " : " is at most ") + shortNumber(boundOf(lp, side), 12);
}

Json sideJson(LinearProgram const& lp, Side const& side) {
  return {{side.isRow() ? "row" : "column", nameOf(lp, side)},
          {"side", side.isLower() ? "lower" : "upper"},
          {"bound", boundOf(lp, side)}};
}

std::string countText(std::vector<Side> const& sides) {
  auto const rows = std::ranges::count_if(sides, [](Side const& side) { return side.isRow(); });
  auto const bounds = std::ssize(sides) - rows;
  std::string const first = counted(rows, "side of a row", "sides of rows");
  std::string const second = counted(bounds, "bound of a column", "bounds of columns");
  if (bounds == 0) return first;
  return rows == 0 ? second : first + " and " + second;
}

void addSides(Section& section, std::vector<std::string> const& texts) {
  constexpr std::size_t shown = 20;
  std::size_t const count = texts.size() > shown ? shown - 1 : texts.size();
  for (std::size_t k = 0; k < count; ++k) section.add("", texts[k]);
  if (count < texts.size())
    section.add("", "and " + std::to_string(texts.size() - count) + " more");
}

std::string iisFileText(LinearProgram const& lp, InfeasibleSubsystem const& found,
                        std::string const& path) {
  readers::FileFormat const format =
      readers::formatForName(path).value_or(readers::FileFormat::cplexLp);
  std::string const mark = commentMark(format);
  std::string const name = lp.name.empty() ? "a problem" : oneLine(lp.name);
  std::ostringstream text;
  text << mark << "An infeasible subsystem of " << name << ": " << countText(found.members) << '\n'
       << mark << "that " << claim(found) << ".\n"
       << readers::writeText(found.subsystem, format);
  return text.str();
}

Section iisSection(LinearProgram const& lp, InfeasibleSubsystem const& found,
                   std::string const& file) {
  Section section{"iis", {}, {}};
  std::vector<std::string> texts;
  Json members = Json::array();
  for (Side const& side : found.members) {
    texts.push_back(sideText(lp, side));
    members.push_back(sideJson(lp, side));
  }
  Json undecided = Json::array();
  for (Side const& side : found.undecided) undecided.push_back(sideJson(lp, side));
  section.json = {{"file", file},
                  {"irreducible", found.irreducible},
                  {"proved", found.proof.proved},
                  {"members", members},
                  {"undecided", undecided},
                  {"solves", found.solves},
                  {"iterations", found.iterations},
                  {"seconds", found.seconds}};
  section.add("iis", countText(found.members) + ' ' + claim(found));
  addSides(section, texts);
  return section;
}

}  // namespace osi_cuda::cli
