// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/integer_families.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "lab/stress/claim.hpp"
#include "lab/stress/dense_problem.hpp"

namespace osi_cuda::stress {
namespace {

/// What random problems are drawn from.
struct Shape {
  int leastRows = 1, mostRows = 4, leastIntegers = 2, mostIntegers = 6, mostContinuous = 0;
  int low = -2, high = 4;                          ///< lower bounds of integers
  int width = 6;                                   ///< most of upper - lower bound
  double binary = 0.3;                             ///< share of binary columns
  double twoSided = 0.2, equal = 0.1, free = 0.0;  ///< shares of rows
  double fraction = 0.0;                           ///< share of sides with a fraction
  double tenths = 0.1;                             ///< share of coefficients that are tenths
  double aimed = 0.85;                             ///< share of problems around a point
  double dense = 0.7;
  int coefficient = 9;
};

double fractional(Dice& dice) {
  return dice.chance(0.5) ? 0.5 : dice.whole(1, 9) / 10.0;
}

/// The sense and the offset of a problem.
void addSense(Dice& dice, LinearProgram& lp) {
  if (dice.chance(0.5)) lp.sense = Sense::maximize;
  if (dice.chance(0.3)) lp.objectiveOffset = dice.whole(-200, 200) / 8.0;
}

LinearProgram drawn(Dice& dice, Shape const& shape) {
  int const m = dice.whole(shape.leastRows, shape.mostRows);
  int const integers = dice.whole(shape.leastIntegers, shape.mostIntegers);
  int const n = integers + (shape.mostContinuous ? dice.whole(1, shape.mostContinuous) : 0);
  DenseProblem problem(m, n);
  LinearProgram& lp = problem.lp;
  lp.integer.assign(n, 0);
  std::vector<double> aim(n);
  std::vector<int> const order = dice.shuffled(n);
  for (int k = 0; k < n; ++k) {
    int const j = order[k];
    bool const whole = k < integers;
    lp.integer[j] = whole;
    lp.objective[j] = dice.whole(-9, 9);
    if (whole && dice.chance(shape.binary)) {
      lp.columnUpper[j] = 1.0;
    } else {
      lp.columnLower[j] = dice.whole(shape.low, shape.high);
      lp.columnUpper[j] = lp.columnLower[j] + dice.whole(0, shape.width);
    }
    aim[j] = dice.whole(static_cast<int>(lp.columnLower[j]), static_cast<int>(lp.columnUpper[j]));
    if (whole) continue;
    if (dice.chance(0.5)) aim[j] = std::min(aim[j] + fractional(dice), lp.columnUpper[j]);
    // No bound on the side that costs keep it away from.
    if (dice.chance(0.3)) {
      lp.objective[j] = std::fabs(lp.objective[j]);
      lp.columnUpper[j] = infinity;
    }
  }
  bool const aimed = dice.chance(shape.aimed);
  for (int i = 0; i < m; ++i) {
    double activity = 0.0;
    for (int j = 0; j < n; ++j) {
      if (!dice.chance(shape.dense)) continue;
      problem.at(i, j) = dice.whole(-shape.coefficient, shape.coefficient);
      if (dice.chance(shape.tenths)) problem.at(i, j) += fractional(dice);
      activity += problem.at(i, j) * aim[j];
    }
    if (!aimed) activity += dice.whole(-9, 9);
    double const part = dice.chance(shape.fraction) ? fractional(dice) : 0.0;
    double const low = std::floor(activity) - dice.below(5) - part;
    double const high = std::ceil(activity) + dice.below(5) +
                        (dice.chance(shape.fraction) ? fractional(dice) : 0.0);
    double const kind = dice.unit();
    if (kind < shape.free) continue;
    if (kind < shape.free + shape.equal) {
      lp.rowLower[i] = lp.rowUpper[i] = dice.chance(0.8) ? activity : low;
    } else if (kind < shape.free + shape.equal + shape.twoSided) {
      lp.rowLower[i] = low;
      lp.rowUpper[i] = high;
    } else {
      (dice.chance(0.5) ? lp.rowLower[i] = low : lp.rowUpper[i] = high);
    }
  }
  addSense(dice, lp);
  if (lp.sense == Sense::maximize)
    for (int j = 0; j < n; ++j)
      if (!lp.integer[j] && lp.columnUpper[j] == infinity) lp.objective[j] = -lp.objective[j];
  return problem.finished();
}

/// Options that any problem may be solved with.
SearchSettings someSettings(Dice& dice) {
  SearchSettings settings;
  double const which = dice.unit();
  if (which > 0.6) settings.cuts = which > 0.85 ? "all" : which > 0.7 ? "off" : "few";
  settings.exact = dice.chance(0.1);
  if (dice.chance(0.05)) settings.searchThreads = 2;
  return settings;
}

std::function<IntegerProblem(Dice&)> shaped(Shape const& shape) {
  return [shape](Dice& dice) {
    IntegerProblem problem{drawn(dice, shape), {}};
    problem.settings = someSettings(dice);
    return problem;
  };
}

Shape boundedShape() {
  return {};
}
Shape binaryShape() {
  Shape shape;
  shape.leastIntegers = 5;
  shape.mostIntegers = 12;
  shape.binary = 1.0;
  return shape;
}
Shape negativeShape() {
  Shape shape;
  shape.low = -9;
  shape.high = -3;
  shape.binary = 0.1;
  return shape;
}
Shape rangeShape() {
  Shape shape;
  shape.twoSided = 0.8;
  shape.fraction = 0.7;
  return shape;
}
Shape mixedShape() {
  Shape shape;
  shape.mostIntegers = 4;
  shape.mostContinuous = 2;
  shape.fraction = 0.3;
  return shape;
}
/// Takes some nodes.
Shape longShape() {
  Shape shape;
  shape.leastRows = 2;
  shape.leastIntegers = 8;
  shape.mostIntegers = 12;
  shape.binary = 0.5;
  shape.coefficient = 30;
  shape.equal = 0.3;
  shape.width = 9;
  shape.aimed = 1.0;
  return shape;
}

LinearProgram fractionalBounds(Dice& dice) {
  Shape shape;
  shape.fraction = 0.2;
  if (dice.chance(0.3)) shape.mostContinuous = 1;
  LinearProgram lp = drawn(dice, shape);
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[j]) continue;
    double const kind = dice.unit();
    if (kind < 0.35) lp.columnLower[j] -= fractional(dice);
    if (kind > 0.2 && kind < 0.6) lp.columnUpper[j] += fractional(dice);
    if (kind > 0.9) {  // equal ones, at times at no whole number
      lp.columnUpper[j] = lp.columnLower[j];
      if (dice.chance(0.1)) lp.columnUpper[j] = lp.columnLower[j] += fractional(dice);
    } else if (kind > 0.87) {  // no whole number between
      lp.columnLower[j] += 0.3;
      lp.columnUpper[j] = lp.columnLower[j] + 0.4;
    }
  }
  return lp;
}

/// Free integers, kept in a box by the rows of a matrix with a determinant of 1.
LinearProgram freeIntegers(Dice& dice) {
  int const n = dice.whole(2, 4), more = dice.below(3);
  DenseProblem problem(n + more, n);
  LinearProgram& lp = problem.lp;
  lp.integer.assign(n, 1);
  lp.columnLower.assign(n, -infinity);
  std::vector<int> const order = dice.shuffled(n), place = dice.shuffled(n + more);
  std::vector<double> aim(n);
  for (int j = 0; j < n; ++j) {
    aim[j] = dice.whole(-5, 5);
    lp.objective[j] = dice.whole(-9, 9);
    if (dice.chance(0.2)) lp.columnLower[j] = aim[j] - dice.below(9);
  }
  for (int k = 0; k < n + more; ++k) {
    int const i = place[k];
    bool const box = k < n;
    double activity = 0.0;
    for (int l = 0; l < n; ++l) {
      int const j = order[l];
      if (box && l > k) continue;
      problem.at(i, j) = box && l == k ? dice.sign() : dice.whole(box ? -3 : -9, box ? 3 : 9);
      activity += problem.at(i, j) * aim[j];
    }
    auto const part = [&] { return dice.chance(0.3) ? fractional(dice) : 0.0; };
    if (box || dice.chance(0.5)) lp.rowLower[i] = activity - dice.below(6) - part();
    if (box || lp.rowLower[i] == -infinity) lp.rowUpper[i] = activity + dice.below(6) + part();
  }
  addSense(dice, lp);
  return problem.finished();
}

/// One equation in free integers.
LinearProgram oneEquation(Dice& dice) {
  int const n = dice.whole(2, 4), divisor = dice.whole(1, 6);
  DenseProblem problem(1, n);
  LinearProgram& lp = problem.lp;
  lp.integer.assign(n, 1);
  lp.columnLower.assign(n, -infinity);
  int const slope = dice.chance(0.5) ? 0 : dice.whole(-2, 2);
  for (int j = 0; j < n; ++j) {
    problem.at(0, j) = dice.sign() * divisor * dice.whole(1, 12);
    lp.objective[j] = slope * problem.at(0, j);
  }
  lp.rowLower[0] = dice.whole(-20, 20);
  lp.rowUpper[0] = lp.rowLower[0] + (dice.chance(0.3) ? dice.below(4) : 0);
  addSense(dice, lp);
  return problem.finished();
}

LinearProgram freeRows(Dice& dice) {
  Shape shape;
  shape.mostRows = 5;
  shape.free = 0.4;
  shape.twoSided = 0.3;
  shape.fraction = 0.4;
  if (dice.chance(0.3)) shape.mostContinuous = 1;
  LinearProgram lp = drawn(dice, shape);
  // As files have them: a side that is no more than a large number.
  for (int i = 0; i < lp.rows(); ++i)
    if (lp.rowLower[i] == -infinity && lp.rowUpper[i] == infinity && dice.chance(0.4))
      lp.rowLower[i] = -1e30;
  return lp;
}

/// x_k <= M b_k: what x costs or gains, and what switching it on costs.
LinearProgram bigM(Dice& dice) {
  int const switches = dice.whole(1, 4), continuous = dice.below(std::min(switches, 2) + 1);
  bool const demand = dice.chance(0.6);
  int const most = 2 * switches;
  DenseProblem problem(switches + 1, most);
  LinearProgram& lp = problem.lp;
  lp.integer.assign(most, 1);
  addSense(dice, lp);
  double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
  double room = 0.0;
  for (int k = 0; k < switches; ++k) {
    int const x = k, b = switches + k;
    lp.integer[x] = k >= continuous;
    double const size =
        (dice.chance(0.5) ? 1.0 : dice.whole(2, 9)) * std::pow(10.0, dice.whole(3, 9));
    lp.columnUpper[b] = 1.0;
    lp.columnUpper[x] = dice.whole(1, 20);
    if (!lp.integer[x] && dice.chance(0.3)) lp.columnUpper[x] += 0.5;
    room += lp.columnUpper[x];
    problem.at(k, x) = 1.0;
    problem.at(k, b) = -size;
    lp.rowUpper[k] = 0.0;
    lp.objective[x] = sign * (demand ? dice.whole(0, 5) : -dice.whole(0, 5));
    lp.objective[b] = sign * (dice.chance(0.5) ? dice.whole(1, 100) : dice.whole(1, 10));
    problem.at(switches, x) = dice.whole(1, 3);
  }
  double const side = dice.whole(1, 9) / 2.0;
  (demand ? lp.rowLower : lp.rowUpper)[switches] = demand ? std::min(side, room) : side + room;
  return problem.finished();
}

/// Sides and bounds that miss whole numbers by 1e-6 to 1e-9.
LinearProgram nearWhole(Dice& dice) {
  Shape shape;
  shape.tenths = 0.0;
  shape.twoSided = 0.3;
  shape.equal = dice.chance(0.3) ? 0.2 : 0.0;
  shape.mostIntegers = 5;
  if (dice.chance(0.2)) shape.mostContinuous = 1;
  LinearProgram lp = drawn(dice, shape);
  auto const moved = [&](double& side, double share) {
    if (std::isfinite(side) && dice.chance(share))
      side += dice.sign() * dice.whole(1, 9) * std::pow(10.0, -dice.whole(6, 9));
  };
  for (int i = 0; i < lp.rows(); ++i) {
    bool const equal = lp.rowLower[i] == lp.rowUpper[i];
    moved(lp.rowLower[i], 0.6);
    if (equal)
      lp.rowUpper[i] = lp.rowLower[i];
    else
      moved(lp.rowUpper[i], 0.6);
  }
  for (int j = 0; j < lp.columns(); ++j)
    if (dice.chance(0.2)) {
      moved(lp.columnUpper[j], 1.0);
      lp.columnLower[j] = std::min(lp.columnLower[j], lp.columnUpper[j]);
    }
  return lp;
}

/// Semicontinuous columns, above 0 and below, and sets, which share columns.
LinearProgram withChoices(Dice& dice) {
  Shape shape;
  shape.low = 0;
  shape.high = 1;
  shape.leastIntegers = 1;
  shape.mostIntegers = 4;
  shape.mostContinuous = 3;
  shape.aimed = 1.0;
  LinearProgram lp = drawn(dice, shape);
  int const n = lp.columns();
  for (int j = 0; j < n; ++j) {
    double &lower = lp.columnLower[j], &upper = lp.columnUpper[j];
    if (!dice.chance(0.5)) continue;
    lower = dice.whole(1, 4) - (dice.chance(0.3) ? fractional(dice) : 0.0);
    upper = std::max(upper, lower + dice.whole(0, 4));
    if (dice.chance(0.2) && upper < infinity) std::tie(lower, upper) = std::pair(-upper, -lower);
    lp.choices.addSemicontinuous(j, lower, upper);
  }
  for (int sets = dice.below(3); sets >= 0 && n > 1; --sets) {
    std::vector<int> const order = dice.shuffled(n);
    OrderedSet set{"", dice.whole(1, 2), dice.below(3), {}, {}};
    set.columns.assign(order.begin(), order.begin() + dice.whole(2, n));
    for (std::size_t k = 0; k < set.columns.size(); ++k)
      set.weights.push_back(static_cast<double>(k) + dice.unit() / 2.0);
    lp.choices.sets.push_back(std::move(set));
  }
  return lp;
}

LinearProgram anyOfThem(Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return drawn(dice, rangeShape());
    case 1:
      return drawn(dice, mixedShape());
    case 2:
      return freeIntegers(dice);
    default:
      return drawn(dice, longShape());
  }
}

IntegerProblem gaps(Dice& dice) {
  IntegerProblem problem{anyOfThem(dice), someSettings(dice)};
  static double const relative[]{1e-4, 0.05, 0.5, 1.0, 100.0, infinity};
  static double const absolute[]{0.0, 1e-9, 0.5, 3.0, 1e20, 1e51, infinity};
  int const which = dice.below(3);
  if (which != 0) problem.settings.relativeGap = relative[dice.below(6)];
  if (which != 1) problem.settings.absoluteGap = absolute[dice.below(7)];
  return problem;
}

IntegerProblem limits(Dice& dice) {
  IntegerProblem problem{anyOfThem(dice), someSettings(dice)};
  SearchSettings& settings = problem.settings;
  int const which = dice.below(4);
  if (which == 0 || which == 3) settings.nodeLimit = dice.below(12);
  if (which == 1 || which == 3) settings.iterationLimit = dice.below(60);
  if (which == 2) settings.timeLimit = dice.below(30) / 1000.0;
  return problem;
}

IntegerProblem interrupts(Dice& dice) {
  IntegerProblem problem{anyOfThem(dice), someSettings(dice)};
  problem.settings.interruptAfter = dice.below(60);
  return problem;
}

std::function<IntegerProblem(Dice&)> plain(LinearProgram (*make)(Dice&)) {
  return [make](Dice& dice) {
    IntegerProblem problem{make(dice), {}};
    problem.settings = someSettings(dice);
    return problem;
  };
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SearchSettings::options() const {
  SearchSettings const usual;
  std::vector<std::pair<std::string, std::string>> all;
  auto const number = [&](char const* name, double value, double own) {
    if (value != own) all.emplace_back(name, std::isinf(value) ? "inf" : digitsOf(value));
  };
  number("absolute-gap", absoluteGap, usual.absoluteGap);
  number("relative-gap", relativeGap, usual.relativeGap);
  number("time-limit", timeLimit, usual.timeLimit);
  if (nodeLimit >= 0) all.emplace_back("node-limit", std::to_string(nodeLimit));
  if (iterationLimit >= 0) all.emplace_back("iteration-limit", std::to_string(iterationLimit));
  if (cuts != usual.cuts) all.emplace_back("cuts", cuts);
  if (exact) all.emplace_back("exact", "on");
  if (searchThreads > 1) all.emplace_back("search-threads", std::to_string(searchThreads));
  return all;
}

std::vector<IntegerFamily> const& integerFamilies() {
  static std::vector<IntegerFamily> const all{
      {"bounded", "general integers within bounds", shaped(boundedShape())},
      {"binary", "up to 12 binary columns", shaped(binaryShape())},
      {"negative", "general integers below 0", shaped(negativeShape())},
      {"free", "free integers, kept in a box by rows", plain(freeIntegers)},
      {"equation", "one equation in free integers", plain(oneEquation)},
      {"fractional", "integers with fractional or equal bounds", plain(fractionalBounds)},
      {"free-rows", "free rows among others", plain(freeRows)},
      {"ranges", "two-sided rows with fractional sides", shaped(rangeShape())},
      {"mixed", "one or two continuous columns", shaped(mixedShape())},
      {"big-m", "x <= M b with M from 1e3 to 1e10", plain(bigM)},
      {"near-whole", "sides and bounds 1e-6 to 1e-9 off whole numbers", plain(nearWhole)},
      {"choices", "semicontinuous columns and special ordered sets", plain(withChoices)},
      {"gaps", "relative and absolute gaps, infinite ones as well", gaps},
      {"limits", "limits of nodes, iterations and time", limits},
      {"interrupts", "interrupts at random moments", interrupts},
  };
  return all;
}

IntegerProblem makeIntegerProblem(IntegerFamily const& family, std::uint64_t seed) {
  Dice dice = diceFor("integers/" + family.name, seed);
  IntegerProblem problem = family.make(dice);
  problem.lp.name = family.name + "_" + std::to_string(seed);
  if (std::string const fault = findFault(problem.lp); !fault.empty())
    throw std::logic_error(problem.lp.name + " is not a sound problem: " + fault);
  return problem;
}

}  // namespace osi_cuda::stress
