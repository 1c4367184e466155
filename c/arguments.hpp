// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "c/problem.hpp"
#include "osi_cuda/model/large_bounds.hpp"

/// What C hands over, looked at before it is used. All throw Failure with a message that names the
/// argument.
namespace osi_cuda::c {

void needPointer(void const* pointer, char const* name);
/// NULL is refused unless the array is empty.
void needArray(void const* pointer, std::int64_t length, char const* name);
void needSize(std::int64_t size, char const* name);  ///< >= 0
/// count * width, both >= 0, numbers of arrays `what`; refused where no memory can hold them.
std::int64_t productOf(std::int64_t count, std::int64_t width, char const* what);
/// Numbers of rows and of columns that a problem can have: they share one numbering of ints, and
/// their bounds and costs have to fit in memory, else NotEnoughMemory.
void needSizes(std::int64_t rows, std::int64_t columns);

/// What OSI_CUDA_MINIMIZE or OSI_CUDA_MAXIMIZE says.
Sense senseOf(int sense, std::string const& name);

/// `length` numbers; none given: as many times `absent`.
std::vector<double> numbersOr(double const* numbers, std::int64_t length, double absent);

/// Which bounds an array has.
enum class BoundSide { lower, upper };
/// The same of bounds, which `large` takes for infinite or not; refused is one that then can't be
/// reached. `name` is what messages call the array.
std::vector<double> boundsOr(double const* numbers, std::int64_t length, double absent,
                             BoundSide side, char const* name, LargeBounds& large);

/// Numbers or statuses to where the caller wants them; NULL: nowhere.
template <class From, class To>
void copyInto(std::vector<From> const& from, To* to) {
  if (to) std::ranges::transform(from, to, [](From one) { return static_cast<To>(one); });
}

/// Refuses what[place] = `number` where it is no number of `size` rows or columns, as `what` says.
void needNumber(std::int32_t number, int size, char const* what, std::size_t place);

/// The `count` numbers of rows or columns that a change speaks of, all 0..size-1 where `numbers` is
/// NULL; `what` is "rows" or "columns". Refused are numbers that are none, and a count that is not
/// `size` without numbers.
std::vector<int> selected(std::int32_t count, std::int32_t const* numbers, int size,
                          char const* what);

/// Whether a dense matrix, rows x columns, with these steps lies by rows without gaps; by columns.
bool liesByRows(int rows, int columns, std::int64_t rowStep, std::int64_t columnStep);
bool liesByColumns(int rows, int columns, std::int64_t rowStep, std::int64_t columnStep);

/// What becomes of the numbers of a dense matrix.
enum class Keep {
  nonzeros,  ///< copied, zeros left out
  all,       ///< copied as they are where at least two thirds are not zero, else as above
  place      ///< the same without a copy, where they lie without gaps
};

/// A dense matrix, rows x columns, whose entry (i, j) is matrix[i rowStep + j columnStep].
SparseMatrix fromDense(int rows, int columns, double const* matrix, std::int64_t rowStep,
                       std::int64_t columnStep, Keep keep);

/// A matrix of `lines` columns with numbers below `others` in them, `names` what messages call the
/// indices. Offsets and indices are checked, so that it can be transposed: none is
/// there twice in a line.
SparseMatrix fromSparse(int lines, int others, std::int64_t const* starts,
                        std::int32_t const* indices, double const* values, char const* names);

}  // namespace osi_cuda::c
