// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string_view>

namespace osi_cuda::testing {

/// What is fuzzed, one function per kind of file. Each may refuse its input with ReadError or
/// WriteError only; whatever is accepted has to be sound, and to survive being written and read.
/// They throw std::logic_error when it is not.
void fuzzMps(std::string_view bytes);
void fuzzCplexLp(std::string_view bytes);
void fuzzLpSolveLp(std::string_view bytes);
void fuzzBasis(std::string_view bytes);
void fuzzSolution(std::string_view bytes);
void fuzzCompressed(std::string_view bytes);  ///< gzip, bzip2, xz, Zstandard, or none of them
void fuzzNpz(std::string_view bytes);
void fuzzNl(std::string_view bytes);
void fuzzSmps(std::string_view bytes);        ///< core, time and stoch file, lines %% between them
void fuzzCheckpoint(std::string_view bytes);  ///< its marks of problem and content are made to fit

struct FuzzTarget {
  char const* name;  ///< of the folder of the corpus
  void (*run)(std::string_view);
};

inline constexpr FuzzTarget fuzzTargets[] = {{"mps", fuzzMps},
                                             {"cplex_lp", fuzzCplexLp},
                                             {"lp_solve_lp", fuzzLpSolveLp},
                                             {"basis", fuzzBasis},
                                             {"solution", fuzzSolution},
                                             {"compressed", fuzzCompressed},
                                             {"npz", fuzzNpz},
                                             {"nl", fuzzNl},
                                             {"smps", fuzzSmps},
                                             {"checkpoint", fuzzCheckpoint}};

}  // namespace osi_cuda::testing
