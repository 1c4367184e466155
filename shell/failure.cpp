// SPDX-License-Identifier: EPL-2.0
#include "shell/failure.hpp"

#include <cmath>
#include <new>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::shell {
namespace {

FailureReport plain(ExitStatus status, std::string const& sentence, std::string const& program) {
  FailureReport result;
  result.status = status;
  result.line = program + ": " + sentence;
  result.json["status"] = "error";
  result.json["message"] = sentence;
  result.json["exit_status"] = static_cast<int>(status);
  result.json["version"] = OSI_CUDA_VERSION;
  return result;
}

/// Without the program's name in front: FILE:LINE:COLUMN at the start of a line is what editors
/// jump to.
FailureReport badInput(readers::ReadError const& error, std::string const& program) {
  FailureReport result = plain(ExitStatus::badInput, error.what(), program);
  result.line = error.what();
  result.json["file"] = error.file();
  result.json["line"] = error.line();
  result.json["column"] = error.column();
  result.json["expected"] = error.expected();
  result.json["found"] = error.found();
  return result;
}

}  // namespace

FailureReport report(std::exception_ptr const& exception, std::string const& program) {
  try {
    std::rethrow_exception(exception);
  } catch (Failure const& failure) {
    return plain(failure.status(), failure.what(), program);
  } catch (readers::ReadError const& error) {
    return badInput(error, program);
  } catch (readers::OpenError const& error) {
    return plain(ExitStatus::noInput, error.what(), program);
  } catch (readers::WriteError const& error) {
    return plain(ExitStatus::cannotWrite, error.what(), program);
  } catch (readers::ReadInterrupted const& error) {
    return plain(ExitStatus::stopped, error.what(), program);
  } catch (EngineUnavailable const& error) {
    return plain(ExitStatus::unavailable, error.what(), program);
  } catch (DeviceLost const& error) {
    return plain(ExitStatus::unavailable, error.what(), program);
  } catch (NotEnoughMemory const& e) {
    return plain(ExitStatus::unavailable, std::string("not enough memory: ") + e.what(), program);
  } catch (std::bad_alloc const&) {
    return plain(ExitStatus::unavailable, "not enough memory: " + memoryLeft(), program);
  } catch (std::exception const& error) {
    return plain(ExitStatus::internal, std::string("internal error: ") + error.what(), program);
  } catch (char const* sentence) {  // as COIN-OR's libraries throw them
    return plain(ExitStatus::internal, std::string("internal error: ") + sentence, program);
  } catch (...) {
    return plain(ExitStatus::internal, "internal error of unknown kind", program);
  }
}

std::string toText(nlohmann::ordered_json const& json) {
  constexpr int indent = 2;
  constexpr bool keepUtf8 = false;  // no \u escapes where the text is UTF-8 already
  return json.dump(indent, ' ', keepUtf8, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json numberOrNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace osi_cuda::shell
