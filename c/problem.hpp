// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "c/osi_cuda.h"
#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::readers {
struct ScenarioTree;
}

namespace osi_cuda::c {

/// A solution with what was asked about it.
struct Solved : Solution {
  std::optional<Ranging> ranging;
  bool ranked = false;  ///< of several objectives: no basis of the problem's own is optimal
  std::optional<IntegerSolution> integers = std::nullopt;  ///< of a search; without the solution
  std::optional<ExactCertificate> certificate = std::nullopt;  ///< once it was asked for
  /// Solve its variants, and those without its costs; each with a pool of bases.
  std::shared_ptr<VariantSolver> variants = nullptr, costless = nullptr;
};

/// Strings that calls hand out. Each thread has its own, so that no other thread's call takes one
/// away.
class HandedOut {
 public:
  /// Keeps `text` until this thread's next call that returns a string.
  char const* keep(std::string text) {
    std::lock_guard const lock(mutex_);
    return (own().text = std::move(text)).c_str();
  }
  /// Of a call that failed in this thread.
  void fail(std::string const& message) {
    std::lock_guard const lock(mutex_);
    latest_ = message;
    own().message = message;
  }
  /// Of this thread's last call that failed; where none did, of any thread's.
  char const* message() {
    std::lock_guard const lock(mutex_);
    Strings& strings = own();
    return (strings.text = strings.message.empty() ? latest_ : strings.message).c_str();
  }

 private:
  struct Strings {
    std::string text, message;
  };
  Strings& own() { return strings_[std::this_thread::get_id()]; }

  std::mutex mutex_;
  std::map<std::thread::id, Strings> strings_;
  std::string latest_;
};

/// A function of the caller's, and what it wants to be called with.
template <class Function>
struct Callback {
  Function* function = nullptr;
  void* data = nullptr;

  explicit operator bool() const { return function != nullptr; }
  auto operator()(auto... arguments) const { return function(data, arguments...); }
};

/// What calls need of the objects that C programs hold. All but `busy`, `stop` and `handedOut`
/// belongs to the call that has set `busy`.
struct Held {
  std::atomic_flag busy;           ///< a call is at work
  std::atomic<bool> stop = false;  ///< an interrupt was called during the solve or the reading

  mutable HandedOut handedOut;

  Callback<osi_cuda_interrupt_function> interrupt;
};

}  // namespace osi_cuda::c

struct osi_cuda_problem : osi_cuda::c::Held {
  std::shared_ptr<void const> fromDevice;  ///< host's copy of a device's array; outlives the solver
  osi_cuda::Solver solver;
  osi_cuda::Options options;
  bool decimals = false;                        ///< the problem was read from text
  osi_cuda::rational::Meanings fractions;       ///< what its numbers stand for
  std::optional<osi_cuda::c::Solved> solution;  ///< of the problem as it is now
  /// Of a stochastic program, whose core the problem was when it was read.
  std::shared_ptr<osi_cuda::readers::ScenarioTree const> scenarios;

  osi_cuda::c::Callback<osi_cuda_log_function> log;
  osi_cuda::c::Callback<osi_cuda_progress_function> progress;
};

namespace osi_cuda::c {

/// The options of a solve: exact proofs of what was read from text are of its decimals.
inline Options optionsOf(osi_cuda_problem const& p) {
  Options options = p.options;
  if (p.decimals && options.exact == Toggle::on && options.exactNumbers == ExactNumbers::automatic)
    options.exactNumbers = ExactNumbers::decimals;
  return options;
}

/// The exact proof of a solution of the problem.
ExactCertificate certificateOf(osi_cuda_problem& p, Solution const& solution);

/// An error with the code that the call returns.
class Failure : public std::runtime_error {
 public:
  /// The message is made of the parts, one after the other.
  Failure(int code, auto const& first, auto const&... more)
      : std::runtime_error(concat(first, more...)), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// Throws the Failure with OSI_CUDA_BAD_ARGUMENT.
template <class... Parts>
[[noreturn]] void refuse(Parts const&... parts) {
  throw Failure(OSI_CUDA_BAD_ARGUMENT, parts...);
}
/// Refuses what a check has found a fault in.
inline void needSound(std::string const& fault) {
  if (!fault.empty()) refuse(fault);
}

/// Inside a handler: the code of the exception that is handled; its message goes to `handedOut`.
int codeOfException(HandedOut& handedOut) noexcept;

/// See osi_cuda_message.
char const* messageOf(Held const& held) noexcept;

/// The object for the length of a call.
class Use {
 public:
  explicit Use(Held& held)
      : held_(held), mine_(!held.busy.test_and_set(std::memory_order_acquire)) {}
  ~Use() {
    if (mine_) held_.busy.clear(std::memory_order_release);
  }
  Use(Use const&) = delete;
  Use& operator=(Use const&) = delete;

  explicit operator bool() const { return mine_; }

 private:
  Held& held_;
  bool mine_;
};

/// This process was forked off after threads had been used, which did not come along: OpenMP would
/// wait for them for ever. It keeps them by the thread that asked for them: a new one gets new
/// ones.
inline std::atomic<bool> forkedOff = false;
void inNewThread(std::function<void()> const& work);

/// What every call with an object goes through: work(*held) with the object to itself, its
/// exceptions turned into a code and a message.
int call(auto* held, auto const& work) noexcept {
  if (!held) return OSI_CUDA_BAD_ARGUMENT;
  Use const use(*held);
  if (!use) return OSI_CUDA_BUSY;
  try {
    if (forkedOff) {
      inNewThread([&] { work(*held); });
    } else {
      work(*held);
    }
    return OSI_CUDA_OK;
  } catch (...) {
    return codeOfException(held->handedOut);
  }
}

/// A call whose work returns what the caller gets; `failed` is what it gets where that fails.
template <class Value, class Object, class Work>
Value ask(Object* held, Value failed, Work const& work) noexcept {
  Value value = failed;
  int const code = call(held, [&](Object& object) { value = work(object); });
  return code == OSI_CUDA_OK ? value : failed;
}

/// The solution of the problem as it is. Throws Failure with OSI_CUDA_NOTHING.
Solution const& solutionOf(osi_cuda_problem& problem);
/// The basis that the next solve starts from, that of slacks where none was set.
Basis presentBasis(osi_cuda_problem& problem);

/// Whether osi_cuda_interrupt or the caller's function wants an end.
bool interruptedBy(Held& held);

/// Before threads are used: whoever is forked off from now on is known as such. Throws Failure with
/// OSI_CUDA_UNAVAILABLE in such a process where the driver of CUDA was loaded before.
void needThreads();
/// The same, and interrupts that came before the call are over.
void beginWork(Held& held);
/// Matrices of so many entries are loaded by several threads.
inline constexpr std::int64_t worthThreads = 200000;

/// `sentence`, if it is not empty, to the log callback, if there is one.
void tell(osi_cuda_problem& problem, std::string const& sentence);

}  // namespace osi_cuda::c
