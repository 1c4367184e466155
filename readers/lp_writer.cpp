// SPDX-License-Identifier: EPL-2.0
#include "readers/format_writers.hpp"

#include <algorithm>
#include <cmath>

#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t longestLine = 100;  // CPLEX reads at most 560 characters

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Words that begin a section or stand for infinity, and what might be read as an exponent.
bool isReserved(std::string_view name) {
  bool const looksLikeExponent =
      (name[0] == 'e' || name[0] == 'E') && std::all_of(name.begin() + 1, name.end(), isDigit);
  return looksLikeExponent ||
         isOneOf(name,
                 "max maximize maximise maximum min minimize minimise minimum st subject such s.t. "
                 "st. bound bounds general gen generals integer int integers binary binaries bin "
                 "semi semis sec sin free sos sos1 sos2 lazy user pwlobj end inf infinity to that");
}

bool isPlainName(std::string_view name, std::string_view atStart, std::string_view behind) {
  auto const isIn = [](char c, std::string_view set) { return set.find(c) != set.npos; };
  if (!isLetter(name[0]) && !isIn(name[0], atStart)) return false;
  return !isReserved(name) && std::ranges::all_of(name, [&](char c) {
    return isLetter(c) || isDigit(c) || isIn(c, atStart) || isIn(c, behind);
  });
}

// What CPLEX, HiGHS, GLPK and Clp all take: the last three have no [ ] / |.
bool cplexCanHold(std::string_view name) {
  return isPlainName(name, "_!\"#$%&(),;?@'`{}~", ".");
}

bool lpSolveCanHold(std::string_view name) {
  return isPlainName(name, "", "_.[]{}/&#$%~'@^");
}

struct LpWriter {
  WriteResult write() {
    objective();
    rows();
    bounds();
    integers();
    semicontinuous();
    orderedSets();
    if (isCplex_) out_ << "End\n";
    return {std::move(notices_), std::move(names_.renamed)};
  }

  void objective() {
    bool const isMaximum = lp_.sense == Sense::maximize;
    if (isCplex_) {
      std::string name = lp_.name;
      std::ranges::replace_if(
          name, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
      if (!name.empty()) out_ << "\\Problem name: " << name << '\n';
      out_ << (isMaximum ? "Maximize\n " : "Minimize\n ") << names_.objective << ':';
    } else {
      out_ << (isMaximum ? "max:" : "min:");
    }
    for (int j = 0; j < lp_.columns(); ++j) term(lp_.objective[j], j);
    double const offset = lp_.objectiveOffset;
    if (offset != 0.0) word((offset < 0.0 ? "- " : "+ ") + written(std::abs(offset)));
    endStatement();
  }

  void rows() {
    if (isCplex_) out_ << "Subject To\n";
    for (int i = 0; i < lp_.rows(); ++i) row(i);
  }

  void row(int i) {
    double const lower = lp_.rowLower[i];
    double const upper = lp_.rowUpper[i];
    out_ << (isCplex_ ? " " : "") << names_.rows[i] << ':';
    if (hasTwoBounds(lp_, i)) word(written(lower) + " <=");
    auto const line = byRows_.column(i);
    for (auto const [column, a] : line) term(a, column);
    if (line.empty()) term(0.0, 0);
    if (lower == upper) {
      word("= " + written(lower));
    } else if (upper < infinity) {
      word("<= " + written(upper));
    } else {
      word(">= " + written(std::max(lower, -fileInfinity)));
    }
    endStatement();
  }

  void bounds() {
    if (isCplex_) out_ << "Bounds\n";
    for (int j = 0; j < lp_.columns(); ++j) bound(j);
  }

  void bound(int j) {
    double const lower = lp_.columnLower[j];
    double const upper = lp_.columnUpper[j];
    std::string const& name = names_.columns[j];
    std::string const minusInfinity = isCplex_ ? "-inf" : "-1e30";
    if (lower == 0.0 && upper == infinity) return;
    out_ << (isCplex_ ? " " : "");
    if (lower == upper) {
      out_ << name << " = " << written(lower);
    } else if (lower == -infinity && upper == infinity) {
      out_ << name << (isCplex_ ? " free" : " >= -1e30");
    } else if (upper == infinity) {
      out_ << name << " >= " << written(lower);
    } else {
      out_ << (lower == -infinity ? minusInfinity : written(lower)) << " <= " << name
           << " <= " << written(upper);
    }
    endStatement();
  }

  void integers() {
    std::vector<int> marked;
    for (int j = 0; j < std::ssize(lp_.integer); ++j)
      if (lp_.integer[j]) marked.push_back(j);
    marks(isCplex_ ? "Generals\n" : "int", marked);
  }

  void semicontinuous() {
    std::vector<int> marked;
    for (SemicontinuousColumn const& one : lp_.choices.semicontinuous) marked.push_back(one.column);
    marks(isCplex_ ? "Semi-Continuous\n" : "sec", marked);
  }

  void marks(char const* section, std::vector<int> const& columns) {
    if (columns.empty()) return;
    out_ << section;
    for (int const j : columns) {
      if (!isCplex_ && j != columns.front()) out_ << ',';
      word(names_.columns[j]);
    }
    endStatement();
  }

  void orderedSets() {
    if (!lp_.choices.sets.empty()) out_ << (isCplex_ ? "SOS\n" : "sos\n");
    for (std::size_t s = 0; s < lp_.choices.sets.size(); ++s) {
      OrderedSet const& set = lp_.choices.sets[s];
      std::string const type = std::to_string(set.type);
      out_ << (isCplex_ ? " " : "") << names_.sets[s] << ':';
      if (isCplex_) word("S" + type + "::");
      for (std::size_t k = 0; k < set.columns.size(); ++k) {
        if (!isCplex_ && k > 0) out_ << ',';
        word(names_.columns[set.columns[k]] + ":" + shortest(set.weights[k]));
      }
      if (!isCplex_) word("<= " + type + ":" + std::to_string(set.priority));
      if (isCplex_ && set.priority != 0)
        notices_ = {"Priorities of special ordered sets are left out of the file."};
      endStatement();
    }
  }

  /// Sign, coefficient and name in one word: a line must not end between them.
  void term(double coefficient, int column) {
    bool const isNegative = std::signbit(coefficient);
    double const size = std::abs(coefficient);
    std::string text = isNegative ? "- " : "+ ";
    if (size != 1.0) text += written(size) + ' ';
    word(text + names_.columns[column]);
  }

  /// A word behind a blank, on a new line if this one is full.
  void word(std::string const& text) {
    if (lineLength_ + text.size() + 1 > longestLine) {
      out_ << "\n ";
      lineLength_ = 1;
    }
    out_ << ' ' << text;
    lineLength_ += text.size() + 1;
  }

  void endStatement() {
    out_ << (isCplex_ ? "\n" : ";\n");
    lineLength_ = 0;
  }

  Output& out_;
  LinearProgram const& lp_;
  bool isCplex_;
  WrittenNames names_ = namesFor(lp_, isCplex_ ? cplexCanHold : lpSolveCanHold);
  SparseMatrix byRows_ = lp_.matrix.transposed();
  std::size_t lineLength_ = 0;
  std::vector<std::string> notices_ = {};
};

}  // namespace

WriteResult writeLp(Output& out, LinearProgram const& lp, LpDialect dialect) {
  return LpWriter{out, lp, dialect == LpDialect::cplex}.write();
}

}  // namespace osi_cuda::readers
