// SPDX-License-Identifier: EPL-2.0
#include "readers/nl_header.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/concat.hpp"
#include "readers/number.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

namespace {

constexpr std::size_t mostOptions = 9;  // AMPL's own limit
constexpr int boundToleranceFollows = 3;
constexpr int littleEndian = 1;  // of the kinds of arithmetic in the sixth line

/// The words of a line of the header up to its comment.
std::vector<std::string_view> wordsOf(std::string_view line) {
  line = line.substr(0, std::min(line.find('#'), line.size()));
  std::vector<std::string_view> words;
  while (true) {
    std::size_t const begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    std::size_t const end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

struct HeaderReader {
  NlHeader read() {
    bool const binary = firstLine();
    sizes();
    nonlinearities();
    counts(4, 0);  // network constraints, which are linear
    auto const in = counts(5, 3);
    header_.nonlinearInConstraints = in[0];
    header_.nonlinearInObjectives = in[1];
    header_.nonlinearInBoth = in[2];
    arithmetic(binary);
    discrete();
    auto const entries = counts(8, 0);
    if (entries.size() > 0) header_.jacobianEntries = entries[0];
    if (entries.size() > 1) header_.gradientEntries = entries[1];
    counts(9, 0);  // lengths of names
    for (int const count : counts(10, 0)) {
      // Each is a segment later on.
      if (at(count) + at(header_.commonExpressions) > tokens_.left())
        fail("at most as many common expressions as there are bytes", std::to_string(count));
      header_.commonExpressions += count;
    }
    if (binary) tokens_.beginBinary();
    return header_;
  }

  [[noreturn]] void fail(std::string const& expected, std::string const& found) const {
    tokens_.failInLine(line_, expected, found);
  }

  /// The numbers of line `number` of the header, `least` at least, none negative. What is missing
  /// at the end of a line is 0: later writers have made the lines longer.
  std::vector<int> counts(int number, std::size_t least) {
    line_ = number;
    std::vector<int> values;
    for (std::string_view const word : wordsOf(tokens_.line())) {
      int const value = wholeNumber<int>(word).value_or(-1);
      if (value < 0) fail("a number >= 0", quoted(word));
      values.push_back(value);
    }
    if (values.size() < least) fail(concat(least, " numbers"), std::to_string(values.size()));
    return values;
  }

  bool firstLine() {
    line_ = 1;
    std::string_view const line = tokens_.line();
    if (line.empty() || (line[0] != 'g' && line[0] != 'b'))
      fail("g or b, the beginning of a .nl file", quoted(line.substr(0, 1)));
    std::vector<std::string_view> words = wordsOf(line.substr(1));
    int const count = words.empty() ? -1 : wholeNumber<int>(words[0]).value_or(-1);
    if (count < 0 || at(count) > mostOptions)
      fail("a number of options from 0 to 9", words.empty() ? "nothing" : quoted(words[0]));
    words.erase(words.begin());
    for (std::string_view const word : words) {
      if (header_.options.size() == at(count)) break;
      std::optional<int> const value = wholeNumber<int>(word);
      if (!value) fail("an integer", quoted(word));
      header_.options.push_back(*value);
    }
    if (header_.options.size() < at(count))
      fail(concat(count, " options"), std::to_string(header_.options.size()));
    if (header_.options.size() > 1 && header_.options[1] == boundToleranceFollows &&
        words.size() > header_.options.size())
      header_.boundTolerance = parseNumber(words[header_.options.size()]).value;
    return line[0] == 'b';
  }

  void sizes() {
    auto const sizes = counts(2, 3);
    header_.variables = sizes[0];
    header_.constraints = sizes[1];
    header_.objectives = sizes[2];
    // Each variable and constraint has bounds later on, a byte at least.
    for (int const size : {sizes[0], sizes[1], sizes[2]})
      if (at(size) > tokens_.left())
        fail("at most as many variables, constraints and objectives as there are bytes",
             std::to_string(size));
    if (sizes.size() > 3) header_.ranges = sizes[3];
    if (sizes.size() > 4) header_.equations = sizes[4];
    if (sizes.size() > 5 && sizes[5] > 0)
      fail("linear constraints", concat(sizes[5], " logical constraint(s)"));
  }

  void nonlinearities() {
    auto const values = counts(3, 2);
    int const complementarity =
        (values.size() > 2 ? values[2] : 0) + (values.size() > 3 ? values[3] : 0);
    if (complementarity > 0)
      fail("linear constraints", concat(complementarity, " complementarity condition(s)"));
  }

  void arithmetic(bool binary) {
    auto const values = counts(6, 2);
    header_.functions = values[1];
    if (at(values[1]) > tokens_.left())
      fail("at most as many functions as there are bytes", std::to_string(values[1]));
    int const kind = values.size() > 2 ? values[2] : 0;
    if (binary && kind > littleEndian)
      fail("numbers of this machine, the least significant byte first",
           concat("arithmetic of kind ", kind));
  }

  void discrete() {
    auto const values = counts(7, 2);
    header_.binaries = values[0];
    header_.integers = values[1];
    if (values.size() > 2) header_.integersInBoth = values[2];
    if (values.size() > 3) header_.integersInConstraints = values[3];
    if (values.size() > 4) header_.integersInObjectives = values[4];
    for (int const value : values)
      if (value > header_.variables)
        fail(concat("at most ", header_.variables, " discrete variables"), std::to_string(value));
  }

  NlTokens& tokens_;
  NlHeader header_ = {};
  int line_ = 0;
};

std::vector<char> none(int count) {
  return std::vector<char>(at(count), 0);
}

}  // namespace

NlHeader readNlHeader(NlTokens& tokens) {
  return HeaderReader{tokens}.read();
}

std::vector<char> NlHeader::integerMarks() const {
  if (binaries + integers + integersInBoth + integersInConstraints + integersInObjectives == 0)
    return {};
  std::vector<char> marks(at(variables), 0);
  // The last `count` of those that end before `end`.
  auto const mark = [&](int end, int count) {
    for (int j = std::max(0, end - count); j < std::min(end, variables); ++j) marks[j] = 1;
  };
  mark(nonlinearInBoth, integersInBoth);
  mark(nonlinearInConstraints, integersInConstraints);
  mark(nonlinearInObjectives, integersInObjectives);
  mark(variables, integers);
  mark(variables - integers, binaries);
  return marks;
}

bool isNl(std::string_view beginning) {
  if (beginning.size() < 2 || (beginning[0] != 'g' && beginning[0] != 'b')) return false;
  if (beginning[1] < '0' || beginning[1] > '9') return false;
  constexpr int linesToSee = 2;
  std::string_view rest = beginning.substr(1);
  for (int k = 0; k < linesToSee; ++k) {
    std::size_t const end = std::min(rest.find('\n'), rest.size());
    auto const words = wordsOf(rest.substr(0, end));
    if (words.empty()) return false;
    for (std::string_view const word : words) {
      // The tolerance at the end of the first line need not be an integer.
      if (parseNumber(word).fault != NumberFault::none) return false;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

NlCounts::NlCounts(NlTokens& tokens, NlHeader const& header)
    : tokens_(tokens),
      header_(header),
      kinds_{{'F', "function ", true, none(header.functions)},
             {'C', "constraint ", true, none(header.constraints)},
             {'O', "objective ", true, none(header.objectives)},
             {'r', "", header.constraints > 0, none(1)},
             {'b', "", header.variables > 0, none(1)},
             {'J', "constraint ", false, none(header.constraints)},
             {'G', "objective ", false, none(header.objectives)},
             {'k', "", false, none(1)},
             {'d', "", false, none(1)},
             {'x', "", false, none(1)}},
      columnEntries_(at(header.variables), 0) {}

void NlCounts::segment(char kind, int number) {
  auto const found = std::ranges::find(kinds_, kind, &Kind::letter);
  char& seen = found->seen[at(number)];
  if (seen) {
    std::string const of = *found->of ? concat(" of ", found->of, number) : "";
    tokens_.fail("each segment once", concat("segment ", kind, of, " a second time"));
  }
  seen = 1;
}

void NlCounts::beginList(int size) {
  inList_.resize(std::max(inList_.size(), at(size)), 0);
  ++list_;
}

void NlCounts::listed(int number) {
  int& last = inList_[at(number)];
  if (last == list_) tokens_.fail("each number once", concat(number, " a second time"));
  last = list_;
}

void NlCounts::rowBounds(double lower, double upper) {
  if (std::isfinite(lower) && std::isfinite(upper)) ++(lower == upper ? equations_ : ranges_);
}

/// Nothing but the end of the file comes: says that instead of `expected`.
void NlCounts::need(std::string const& expected) const {
  tokens_.letter(expected.c_str());
}

void NlCounts::needCount(std::int64_t found, int expected, std::string const& what) const {
  if (expected >= 0 && found != expected)
    need(concat(expected, " ", what, " as the header says, not ", found));
}

void NlCounts::complete(int undefined) const {
  if (undefined >= 0) need(concat("segment V of common expression ", undefined));
  for (Kind const& kind : kinds_) {
    auto const missing = std::ranges::find(kind.seen, 0);
    if (!kind.needed || missing == kind.seen.end()) continue;
    std::string const number = std::to_string(missing - kind.seen.begin());
    need(concat("segment ", kind.letter, (*kind.of ? " of " + (kind.of + number) : "")));
  }
  // Writers differ in what a row with two equal sides is.
  if (header_.ranges >= 0 && header_.equations >= 0)
    needCount(ranges_ + equations_, header_.ranges + header_.equations,
              "ranges and equations in segment r");
  needCount(jacobianEntries_, header_.jacobianEntries, "entries in segments J");
  needCount(gradientEntries_, header_.gradientEntries, "entries in segments G");
  for (std::size_t j = 0; j < counts_.size(); ++j)
    if (counts_[j] != columnEntries_[j])
      need(concat(counts_[j], " entries of variable ", j, " as segment k says, not ",
                  columnEntries_[j]));
}

}  // namespace osi_cuda::readers
