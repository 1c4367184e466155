// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/engine.hpp"

#include "osi_cuda/base/index.hpp"

namespace osi_cuda {
namespace {

/// By variable, of the basic ones by position.
std::vector<char> basisOf(std::vector<int> const& basicVariable, std::size_t variables) {
  std::vector<char> basic(variables, 0);
  for (int const v : basicVariable) basic[at(v)] = 1;
  return basic;
}

/// Solves for an engine that has none: by sparse factors of whatever basis it has.
class FactoredSolves final : public SolvesWithBasis {
 public:
  FactoredSolves(Engine& engine, StandardForm const& form) : engine_(engine) {
    factors_->load(form);
  }

  std::vector<double> ftran(std::span<double const> b) override {
    SolvesWithBasis& factored = solves();
    return picked(factored.ftran(b), place_);
  }
  std::vector<double> btran(std::span<double const> c) override {
    SolvesWithBasis& factored = solves();
    std::vector<double> moved(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) moved[at(place_[i])] = c[i];
    return factored.btran(moved);
  }
  std::vector<double> multiply(std::span<double const> x) override {
    return factors_->solves().multiply(x);
  }
  std::vector<double> multiplyTransposed(std::span<double const> y) override {
    return factors_->solves().multiplyTransposed(y);
  }

 private:
  static std::vector<double> picked(std::vector<double> const& from,
                                    std::vector<int> const& places) {
    std::vector<double> values;
    for (int const place : places) values.push_back(from[at(place)]);
    return values;
  }

  /// Those of the factors, which have the engine's basis.
  SolvesWithBasis& solves() {
    Snapshot const point = engine_.snapshotOf(SnapshotContent::basis);
    if (basic_ == point.basicVariable) return factors_->solves();
    basic_ = point.basicVariable;
    std::size_t const variables = basic_.size() + point.nonbasicVariable.size();
    factors_->refactor(basisOf(basic_, variables));
    std::vector<int> const factored = factors_->snapshotOf(SnapshotContent::basis).basicVariable;
    std::vector<int> placeOf(variables, 0);
    for (std::size_t i = 0; i < factored.size(); ++i)
      placeOf[at(factored[i])] = static_cast<int>(i);
    place_.clear();
    for (int const v : basic_) place_.push_back(placeOf[at(v)]);
    return factors_->solves();
  }

  Engine& engine_;
  std::unique_ptr<Engine> const factors_ = makeFactoredEngine({});
  std::vector<int> basic_;  ///< the engine's basis that is factored, by its row position
  std::vector<int> place_;  ///< of these variables among the factors' row positions
};

}  // namespace

Engine::Engine() = default;
Engine::~Engine() = default;

void Engine::hold(StandardForm const& form) {
  form_ = &form;
  standIn_.reset();
}

SolvesWithBasis& Engine::solves() {
  if (auto* const own = as<SolvesWithBasis>()) return *own;
  if (!standIn_) standIn_ = std::make_unique<FactoredSolves>(*this, *form_);
  return *standIn_;
}

void exchange(Engine& engine, int r, int q, double leavingValue) {
  if (auto* const exchanges = engine.as<Exchanges>())
    return exchanges->exchange(r, q, leavingValue);
  Snapshot point = engine.snapshot();
  std::size_t const leaving = at(point.basicVariable[at(r)]);
  std::vector<char> basic = basisOf(point.basicVariable, point.value.size());
  basic[leaving] = 0;
  basic[at(point.nonbasicVariable[at(q)])] = 1;
  engine.refactor(basic);
  point.value[leaving] = leavingValue;
  engine.setValues(point.value);
}

bool reach(Engine& engine, std::vector<char> const& basic) {
  auto* const exchanges = engine.as<Exchanges>();
  return exchanges && exchanges->reach(basic);
}

BasicPoint SolvesWithBasis::basicPoint(Snapshot const& point, std::span<double const> cost) {
  auto const n = point.nonbasicVariable.size(), m = point.basicVariable.size();
  BasicPoint result;
  std::vector<double>& x = result.x;
  std::vector<double> rest(m, 0.0), basicCost(m, 0.0);
  x.assign(n, 0.0);
  for (int const variable : point.nonbasicVariable) {
    std::size_t const v = at(variable);
    (v < n ? x[v] : rest[v - n]) = point.value[v];
  }
  std::vector<double> const product = multiply(x);
  for (std::size_t i = 0; i < m; ++i) rest[i] = -(product[i] + rest[i]);
  std::vector<double> const basicValue = ftran(rest);
  for (std::size_t i = 0; i < m; ++i) {
    std::size_t const v = at(point.basicVariable[i]);
    if (v < n) x[v] = basicValue[i];
    basicCost[i] = cost[v];
  }
  result.y = btran(basicCost);
  for (std::size_t i = 0; i < m; ++i)  // the equation of a basic slack says its multiplier exactly
    if (int const slack = point.basicVariable[i]; at(slack) >= n)
      result.y[at(slack) - n] = basicCost[i];
  return result;
}

}  // namespace osi_cuda
