// SPDX-License-Identifier: EPL-2.0
// A problem's life, its messages and its options.
#include "c/problem.hpp"

#include <iterator>
#include <new>

#include "c/arguments.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::c {
namespace {

/// What is returned for it, and its message.
std::pair<int, std::string> codeAndMessage(std::exception_ptr const& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (Failure const& error) {
    return {error.code(), error.what()};
  } catch (readers::ReadError const& error) {
    return {OSI_CUDA_BAD_FILE, error.what()};
  } catch (readers::OpenError const& error) {
    return {OSI_CUDA_NO_FILE, error.what()};
  } catch (readers::WriteError const& error) {
    return {OSI_CUDA_CANNOT_WRITE, error.what()};
  } catch (readers::ReadInterrupted const& error) {
    return {OSI_CUDA_INTERRUPTED, error.what()};
  } catch (DeviceLost const& error) {
    return {OSI_CUDA_LOST, error.what()};
  } catch (EngineUnavailable const& error) {
    return {OSI_CUDA_UNAVAILABLE, error.what()};
  } catch (NotEnoughMemory const& error) {
    return {OSI_CUDA_NO_MEMORY, std::string("not enough memory: ") + error.what()};
  } catch (std::bad_alloc const&) {
    return {OSI_CUDA_NO_MEMORY, "not enough memory: " + memoryLeft()};
  } catch (std::length_error const&) {  // a vector longer than any memory
    return {OSI_CUDA_NO_MEMORY, "not enough memory: " + memoryLeft()};
  } catch (std::invalid_argument const& error) {
    return {OSI_CUDA_BAD_ARGUMENT, error.what()};
  } catch (std::out_of_range const& error) {
    return {OSI_CUDA_BAD_ARGUMENT, error.what()};
  } catch (std::exception const& error) {
    return {OSI_CUDA_INTERNAL, std::string("internal error: ") + error.what()};
  } catch (char const* sentence) {  // as COIN-OR's libraries throw them
    return {OSI_CUDA_INTERNAL, std::string("internal error: ") + sentence};
  } catch (...) {
    return {OSI_CUDA_INTERNAL, "internal error of unknown kind"};
  }
}

/// A text of an option; null for a number that is none.
char const* textOf(int option, std::string OptionRecord::*text) {
  bool const there = option >= 0 && option < osi_cuda_option_count();
  return there ? (optionTable()[at(option)].*text).c_str() : nullptr;
}

}  // namespace

int codeOfException(HandedOut& handedOut) noexcept {
  try {
    auto const [code, message] = codeAndMessage(std::current_exception());
    handedOut.fail(message);
    return code;
  } catch (...) {  // no memory for the message
    return OSI_CUDA_NO_MEMORY;
  }
}

char const* messageOf(Held const& held) noexcept {
  try {
    return held.handedOut.message();
  } catch (...) {
    return "there is no memory for the message";
  }
}

void tell(osi_cuda_problem& problem, std::string const& sentence) {
  if (problem.log && !sentence.empty()) problem.log(sentence.c_str());
}

}  // namespace osi_cuda::c

using namespace osi_cuda;
using namespace osi_cuda::c;

char const* osi_cuda_version(void) {
  return OSI_CUDA_VERSION;
}

char const* osi_cuda_code_text(int code) {
  constexpr char const* texts[] = {"no error",
                                   "a pointer, size, number, option or word that can't be",
                                   "not enough memory",
                                   "the file can't be opened",
                                   "the file is not what it should be",
                                   "the file can't be written",
                                   "the engine or device is not available",
                                   "there is no solution, or it has no such part",
                                   "the problem is in use by another call",
                                   "reading was interrupted",
                                   "internal error"};
  static_assert(std::size(texts) == OSI_CUDA_INTERNAL + 1);
  return code >= 0 && code <= OSI_CUDA_INTERNAL ? texts[code] : "there is no such code";
}

char const* osi_cuda_status_text(int status) {
  if (status == OSI_CUDA_STATUS_INVALID) return "invalid";
  bool const there = status >= OSI_CUDA_STATUS_OPTIMAL && status <= OSI_CUDA_STATUS_INTERIOR;
  return there ? toString(static_cast<Status>(status)) : "none";
}

int osi_cuda_option_count(void) {
  try {
    return static_cast<int>(optionTable().size());
  } catch (...) {  // no memory for the table
    return 0;
  }
}
char const* osi_cuda_option_name(int option) {
  return textOf(option, &OptionRecord::name);
}
char const* osi_cuda_option_values(int option) {
  return textOf(option, &OptionRecord::values);
}
char const* osi_cuda_option_default(int option) {
  return textOf(option, &OptionRecord::defaultText);
}
char const* osi_cuda_option_help(int option) {
  return textOf(option, &OptionRecord::help);
}

osi_cuda_problem* osi_cuda_create(void) {
  try {
    return new osi_cuda_problem;
  } catch (...) {
    return nullptr;
  }
}

void osi_cuda_free(osi_cuda_problem* problem) {
  delete problem;
}

char const* osi_cuda_message(osi_cuda_problem const* problem) {
  return problem ? messageOf(*problem) : "the problem is NULL";
}

int osi_cuda_copy(osi_cuda_problem* problem, osi_cuda_problem** copy) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(copy, "copy");
    auto other = std::make_unique<osi_cuda_problem>();
    other->fromDevice = p.fromDevice;
    other->solver.load(p.solver.problem());
    other->solver.setBasis(p.solver.basis());
    other->options = p.options;
    other->decimals = p.decimals;
    other->fractions = p.fractions;
    other->scenarios = p.scenarios;
    *copy = other.release();
  });
}

int osi_cuda_set_option(osi_cuda_problem* problem, char const* name, char const* value) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(name, "name");
    needPointer(value, "value");
    needSound(setOption(p.options, name, value));
  });
}

char const* osi_cuda_get_option(osi_cuda_problem* problem, char const* name) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    needPointer(name, "name");
    OptionRecord const* const record = findOption(name);
    if (!record) {
      Options unchanged;
      refuse(setOption(unchanged, name, ""));  // the message for a name that there is not
    }
    return p.handedOut.keep(record->get(p.options));
  });
}
