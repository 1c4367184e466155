// SPDX-License-Identifier: EPL-2.0
#include "readers/format_writers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t fixedName = 8;
constexpr std::size_t fixedNumber = 12;

bool isPlain(char c) {
  return static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
}

bool freeCanHold(std::string_view name) {
  bool const looksLikeComment = name[0] == '$' || name[0] == '*';
  return !looksLikeComment && name != "'MARKER'" && std::ranges::all_of(name, isPlain);
}

bool fixedCanHold(std::string_view name) {
  auto const fits = [](char c) { return c == ' ' || isPlain(c); };
  bool const looksLikeComment = name[0] == '$' || name[0] == '*';
  return !looksLikeComment && name != "'MARKER'" && name.size() <= fixedName &&
         name.front() != ' ' && name.back() != ' ' && std::ranges::all_of(name, fits);
}

struct MpsWriter {
  WriteResult write() {
    header();
    rows();
    columns();
    rightHandSides();
    bounds();
    orderedSets();
    out_ << "ENDATA\n";
    if (rounded_ > 0)
      result_.notices.push_back(
          concat(rounded_, " number(s) are rounded to the 12 characters of fixed MPS."));
    result_.renamed = std::move(names_.renamed);
    return std::move(result_);
  }

  void header() {
    std::string name = lp_.name;
    std::ranges::replace_if(
        name, [](char c) { return !isPlain(c); }, ' ');
    name = trimmed(name);
    if (isFree_ && !name.empty()) {
      // The word FREE tells some readers that fields stand between blanks; to us, no more than
      // that.
      out_ << "NAME " << name << " FREE\n";
    } else {
      // Else the last word announced free format or encoded numbers.
      for (std::string_view const word : {"FREE", "IEEE", "FREEIEEE"})
        if (name.ends_with(" " + std::string(word))) name[name.size() - word.size() - 1] = '_';
      out_ << "NAME" << (name.empty() ? "" : "          ") << name << '\n';
    }
    if (lp_.sense == Sense::maximize) out_ << "OBJSENSE\n    MAX\n";
  }

  void rows() {
    out_ << "ROWS\n N  " << names_.objective << '\n';
    for (int i = 0; i < lp_.rows(); ++i)
      out_ << ' ' << rowType(i) << "  " << names_.rows[i] << '\n';
  }

  void columns() {
    out_ << "COLUMNS\n";
    bool inIntegers = false;
    int markers = 0;
    auto const mark = [&](bool begins) {
      if (begins == inIntegers) return;
      inIntegers = begins;
      out_ << "    MARKER" << ++markers << (isFree_ ? " " : "   ") << "'MARKER'"
           << (isFree_ ? " " : "                 ") << (begins ? "'INTORG'" : "'INTEND'") << '\n';
    };
    for (int j = 0; j < lp_.columns(); ++j) {
      mark(!lp_.integer.empty() && lp_.integer[j]);
      auto const line = lp_.matrix.column(j);
      // A column without entries has to be mentioned as well.
      if (lp_.objective[j] != 0.0 || line.empty())
        pair(names_.columns[j], names_.objective, number(lp_.objective[j]));
      for (auto const [i, a] : line) pair(names_.columns[j], names_.rows[i], number(a));
    }
    mark(false);
  }

  void rightHandSides() {
    out_ << "RHS\n";
    if (lp_.objectiveOffset != 0.0) pair("RHS", names_.objective, number(-lp_.objectiveOffset));
    bool hasRanges = false;
    for (int i = 0; i < lp_.rows(); ++i) {
      char const type = rowType(i);
      double const rhs = type == 'L' ? lp_.rowUpper[i] : lp_.rowLower[i];
      if (rhs != 0.0) pair("RHS", names_.rows[i], number(rhs == -infinity ? -fileInfinity : rhs));
      hasRanges |= hasTwoBounds(lp_, i);
    }
    if (!hasRanges) return;
    out_ << "RANGES\n";
    for (int i = 0; i < lp_.rows(); ++i) {
      if (hasTwoBounds(lp_, i)) pair("RANGES", names_.rows[i], rangeOf(i));
    }
  }

  void orderedSets() {
    if (!lp_.choices.sets.empty()) out_ << "SOS\n";
    auto const field = [&](std::string const& name) {
      return isFree_ ? name + ' ' : padded(name, fixedName + 2);
    };
    for (std::size_t s = 0; s < lp_.choices.sets.size(); ++s) {
      OrderedSet const& set = lp_.choices.sets[s];
      out_ << " S" << set.type << ' ' << field(names_.sets[s]) << set.priority << '\n';
      for (std::size_t k = 0; k < set.columns.size(); ++k)
        out_ << "    " << field(names_.columns[at(set.columns[k])]) << number(set.weights[k])
             << '\n';
    }
  }

  void bounds() {
    auto next = lp_.choices.semicontinuous.begin();
    for (int j = 0; j < lp_.columns(); ++j) {
      bool const isMarked = next != lp_.choices.semicontinuous.end() && next->column == j;
      columnBounds(j, isMarked);
      next += isMarked;
    }
  }

  void columnBounds(int j, bool isSemicontinuous) {
    double const lower = lp_.columnLower[j];
    double const upper = lp_.columnUpper[j];
    bool const isInteger = !lp_.integer.empty() && lp_.integer[j];
    if (!isSemicontinuous && lower == -infinity && upper == infinity)
      return bound("FR", j, std::nullopt);
    if (!isSemicontinuous && lower == upper) return bound("FX", j, lower);
    if (lower == -infinity) {
      bound("MI", j, std::nullopt);
    } else if (lower != 0.0 || upper < 0.0) {  // a negative upper bound alone frees the lower one
      bound("LO", j, lower);
    }
    if (isSemicontinuous) {
      bound("SC", j, std::min(upper, fileInfinity));
    } else if (upper < infinity) {
      bound("UP", j, upper);
    } else if (isInteger && lower == 0.0) {  // an integer column without bounds gets the bound 1
      bound("PL", j, std::nullopt);
    }
  }

  /// N is the objective alone: a row without bounds is written as G with the right-hand side -1e30,
  /// since readers drop further rows of type N.
  char rowType(int i) const {
    double const lower = lp_.rowLower[i];
    double const upper = lp_.rowUpper[i];
    if (lower > upper)
      throw WriteError("row " + names_.rows[i] +
                       " has a lower bound above its upper bound, which MPS can't hold");
    if (lower == upper) return 'E';
    if (lower == -infinity && upper < infinity) return 'L';
    if (upper == infinity) return 'G';
    // The bound of larger size becomes the right-hand side: the sum with the range rounds less.
    return std::abs(upper) > std::abs(lower) ? 'G' : 'L';
  }

  /// The range r of a row with two bounds, such that right-hand side and range give back both
  /// bounds exactly: the shortest decimal of the difference, or that of its long double.
  std::string rangeOf(int i) {
    double const lower = lp_.rowLower[i];
    double const upper = lp_.rowUpper[i];
    bool const fromLower = rowType(i) == 'G';
    auto const isExact = [&](std::string const& text) {
      long double const range = parseExtended(text);
      return fromLower ? static_cast<double>(lower + range) == upper
                       : static_cast<double>(upper - range) == lower;
    };
    bool const others = written(lower) != shortest(lower) || written(upper) != shortest(upper);
    if (std::string exact = writtenRange(lower, upper);
        !exact.empty() && (others || isExact(exact)))
      return fitting(std::move(exact), upper - lower);
    std::string const brief = shortest(upper - lower);
    std::string full = shortest(static_cast<long double>(upper) - lower);
    if (isExact(brief)) return fitting(brief, upper - lower);
    if (isFree_ && isExact(full)) return full;
    result_.notices.push_back("the range of row " + names_.rows[i] +
                              " is rounded: its bounds are " + shortest(lower) + " and " +
                              shortest(upper) + ".");
    return fitting(brief, upper - lower);
  }

  /// The number as the format holds it; in fixed MPS rounded to 12 characters if that is allowed.
  std::string number(double value) { return fitting(written(value), value); }

  std::string fitting(std::string text, double value) {
    if (isFree_ || text.size() <= fixedNumber) return text;
    if (!options_.roundNumbers)
      throw WriteError("the number " + text + " needs more than the 12 characters of fixed MPS");
    ++rounded_;
    char digits[64];
    for (int precision = static_cast<int>(fixedNumber); precision > 0; --precision) {
      auto const [end, code] = std::to_chars(digits, digits + sizeof digits, value,
                                             std::chars_format::general, precision);
      if (code == std::errc{} && end - digits <= static_cast<std::ptrdiff_t>(fixedNumber)) {
        return std::string(digits, end);
      }
    }
    return text;
  }

  static std::string padded(std::string_view word, std::size_t width) {
    return std::string(word) + std::string(width - std::min(width, word.size()), ' ');
  }

  /// A line of COLUMNS, RHS or RANGES.
  void pair(std::string_view name, std::string_view row, std::string const& text) {
    if (isFree_) {
      out_ << ' ' << name << ' ' << row << ' ' << text << '\n';
      return;
    }
    out_ << "    " << padded(name, 10) << padded(row, 10) << text << '\n';
  }

  void bound(char const* type, int j, std::optional<double> value) {
    if (!boundsBegun_) out_ << "BOUNDS\n";
    boundsBegun_ = true;
    if (!isFree_) {
      std::string const set = "BOUNDS    ";
      out_ << ' ' << type << ' ' << set << names_.columns[j];
      if (value) {
        std::size_t const width = fixedName + 2;
        out_ << std::string(width - names_.columns[j].size(), ' ') << number(*value);
      }
    } else {
      out_ << ' ' << type << " BOUNDS " << names_.columns[j];
      if (value) out_ << ' ' << number(*value);
    }
    out_ << '\n';
  }

  Output& out_;
  LinearProgram const& lp_;
  bool isFree_;
  WriteOptions const& options_;
  WrittenNames names_ = namesFor(lp_, isFree_ ? freeCanHold : fixedCanHold);
  WriteResult result_ = {};
  int rounded_ = 0;
  bool boundsBegun_ = false;
};

}  // namespace

WriteResult writeMps(Output& out, LinearProgram const& lp, MpsStyle style,
                     WriteOptions const& options) {
  return MpsWriter{out, lp, style == MpsStyle::free, options}.write();
}

}  // namespace osi_cuda::readers
