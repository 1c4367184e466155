// SPDX-License-Identifier: EPL-2.0
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/variants.hpp"
#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::cli {
namespace {

using readers::NpzArray;
using readers::ReadError;
using What = VariantChange::What;

/// An array that the archive may have, and what it changes.
struct Known {
  char const* name;
  bool ofRows;
  std::array<std::optional<What>, 2> what;
};
constexpr Known knownArrays[] = {{"c", false, {What::cost, {}}},
                                 {"lower", false, {What::columnLower, {}}},
                                 {"upper", false, {What::columnUpper, {}}},
                                 {"row_lower", true, {What::rowLower, {}}},
                                 {"row_upper", true, {What::rowUpper, {}}},
                                 {"rhs", true, {What::rowLower, What::rowUpper}}};
constexpr std::array knownNames{"c", "lower", "upper", "row_lower", "row_upper", "rhs", "names"};

class ArrayReader final : readers::NpzArchive {
 public:
  ArrayReader(readers::RandomAccess const& file, std::string const& path, LinearProgram const& lp,
              LargeBounds& large)
      : NpzArchive(file, path, knownNames, std::numeric_limits<std::uint64_t>::max()),
        path_(path),
        lp_(lp),
        large_(large) {}

  Variants read() {
    std::vector<std::vector<VariantChange>> changes(count());
    for (Known const& known : knownArrays)
      if (NpzArray const* const array = find(known.name)) take(known, *array, changes);
    Variants variants;
    variants.names = names();
    for (std::vector<VariantChange> const& own : changes) variants.changes.add(own);
    return variants;
  }

 private:
  /// K, which all arrays have to agree on.
  std::size_t count() const {
    if (arrays().empty()) throw ReadError(path_, "archive", "arrays of variants", "none");
    for (NpzArray const& array : arrays())
      if (array.header().shape.empty())
        fail(array.name(), "variants in the first dimension", array.shapeText());
    std::uint64_t const first = arrays().front().header().shape.front();
    for (NpzArray const& array : arrays()) {
      std::uint64_t const own = array.header().shape.front();
      if (own != first)
        fail(array.name(), concat(first, " variants, as in ", arrays().front().name()),
             std::to_string(own));
    }
    return first;
  }

  void take(Known const& known, NpzArray const& array,
            std::vector<std::vector<VariantChange>>& changes) const {
    std::size_t const lines = changes.size(), width = at(known.ofRows ? lp_.rows() : lp_.columns());
    std::string const expected = concat(lines, " x ", width);
    auto const& shape = array.header().shape;
    if (!array.isNumber() || shape.size() != 2 || shape[1] != width)
      fail(known.name, "numbers of shape " + expected,
           array.isNumber() ? array.shapeText() : "texts");
    std::vector<double> const values = of(known.name, [&] { return array.numbers({}); });
    bool const fortran = array.header().fortranOrder;
    for (std::size_t k = 0; k < lines; ++k)
      for (std::size_t i = 0; i < width; ++i) {
        double const value = values[fortran ? i * lines + k : k * width + i];
        if (std::isnan(value)) continue;  // the model's own
        if (known.what[0] == What::cost && std::isinf(value))
          fail(known.name, "a finite number or NaN" + placeOf(k, i), "inf");
        add(known, k, i, value, changes[k]);
      }
  }

  static std::string placeOf(std::size_t k, std::size_t i) {
    return concat(" at [", k, ", ", i, "]");
  }

  /// Appends the change, if it is one. A right-hand side is the bound that the row has.
  void add(Known const& known, std::size_t k, std::size_t i, double number,
           std::vector<VariantChange>& changes) const {
    bool const isCost = known.what[0] == What::cost, isSide = known.what[1].has_value();
    double const value = isCost ? number : large_(number);
    if (isSide && !hasOneSide(lp_, static_cast<int>(i)))
      fail(known.name,
           "NaN" + placeOf(k, i) + ", for row " + lp_.rowName(static_cast<int>(i)) +
               " has no single right-hand side (others have row_lower and row_upper)",
           std::to_string(number));
    for (std::optional<What> const what : known.what) {
      if (!what || numberOf(lp_, *what, i) == value) continue;
      if (isSide && !std::isfinite(numberOf(lp_, *what, i))) continue;
      changes.push_back({*what, static_cast<int>(i), value});
    }
  }

  std::vector<std::string> names() const {
    std::size_t const lines = arrays().front().header().shape.front();
    NpzArray const* const array = find("names");
    if (!array) return std::vector<std::string>(lines);
    if (!array->isText() || array->header().shape.size() != 1)
      fail("names", concat(lines, " texts"), array->isText() ? array->shapeText() : "numbers");
    return of("names", [&] { return array->texts({}); });
  }

  std::string const& path_;
  LinearProgram const& lp_;
  LargeBounds& large_;
};

}  // namespace

std::optional<Variants> readVariantArrays(std::string const& path, LinearProgram const& lp,
                                          LargeBounds& large) {
  using namespace std::string_view_literals;
  // An archive begins with its first member, or, where it is empty, with the end of its directory:
  // the plain one, or that of large archives, which some programs write for all.
  std::unique_ptr<readers::RandomAccess> file;
  for (std::string_view const start : {readers::zipStart, "PK\x05\x06"sv, "PK\x06\x06"sv})
    if (!file) file = readers::openRandomAccess(path, start);
  if (!file) return std::nullopt;
  return ArrayReader(*file, path, lp, large).read();
}

}  // namespace osi_cuda::cli
