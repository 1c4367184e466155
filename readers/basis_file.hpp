// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// Reads a basis of `lp`: an MPS basis file (XU, XL, UL, LL, BS; as Clp, CPLEX and lp_solve write
/// it), a basis file of HiGHS, or a solution file of glpsol (-w), told apart by content. `path` as
/// in read(). Throws OpenError, ReadError.
///
/// Columns that the file does not mention are nonbasic at their lower bound, rows basic. A variable
/// that the file puts at an infinite bound rests on the other one, or is free if both are: lp_solve
/// calls the bound that a one-sided row has the lower one, Clp and we call it what it is.
Basis readBasis(std::string const& path, LinearProgram const& lp);
Basis readBasisText(std::string_view text, std::string const& name, LinearProgram const& lp);

/// Writes `basis` as an MPS basis file; `path` may be `-`. Its lengths have to be those of `lp`. A
/// nonbasic variable between its bounds (superbasic) is written as nonbasic at the lower one, and
/// so is a row that rests on its only bound, as lp_solve wants it and all others accept it. Throws
/// WriteError.
void writeBasis(std::string const& path, LinearProgram const& lp, Basis const& basis);
std::string writeBasisText(LinearProgram const& lp, Basis const& basis);

/// Does a variable with these bounds rest where `status` says? If not, where else: the other bound,
/// or nowhere.
VariableStatus restingPlace(VariableStatus status, double lower, double upper);

/// The same for all variables of `lp`.
void settle(Basis& basis, LinearProgram const& lp);

}  // namespace osi_cuda::readers
