// SPDX-License-Identifier: EPL-2.0
#include "cli/trace_file.hpp"

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

using Json = nlohmann::ordered_json;

std::string reason() {
  return std::generic_category().message(errno != 0 ? errno : EIO);
}

}  // namespace

std::string traceLine(TraceEvent const& event) {
  Json line;
  line["event"] = event.kind;
  line["seconds"] = event.seconds;
  line["iterations"] = event.iterations;
  for (TraceField const& field : event.fields)
    std::visit([&](auto const& value) { line[field.name] = value; }, field.value);
  constexpr int oneLine = -1;
  return line.dump(oneLine, ' ', false, Json::error_handler_t::replace);
}

TraceFile::TraceFile(std::string path, std::function<void(std::string const&)> notice)
    : path_(std::move(path)), notice_(std::move(notice)) {
  if (path_ == "-")
    throw Failure(ExitStatus::usage,
                  "--trace needs the name of a file: standard output is for the result");
  errno = 0;
  out_.open(path_, std::ios::binary | std::ios::trunc);
  if (!out_) throw Failure(ExitStatus::cannotWrite, "can't write '" + path_ + "': " + reason());
}

void TraceFile::begin(std::string const& file, Options const& options) {
  TraceEvent event;
  event.kind = "begin";
  event.fields = {{"version", OSI_CUDA_VERSION}, {"file", file}};
  for (OptionRecord const& record : optionTable()) {
    std::string const text = record.get(options);
    if (text != record.defaultText) event.fields.push_back({record.name.c_str(), text});
  }
  write(event);
}

void TraceFile::write(TraceEvent const& event) {
  if (!out_) return;
  errno = 0;
  out_ << traceLine(event) << '\n' << std::flush;
  if (!out_) notice_("The trace ends here: can't write '" + path_ + "': " + reason());
}

std::optional<std::string> TraceFile::basisPath() const {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path_, ignored)) return std::nullopt;
  return path_ + ".bas";
}

}  // namespace osi_cuda::cli
