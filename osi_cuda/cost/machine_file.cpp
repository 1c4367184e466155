// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/machine.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <variant>
#include <vector>

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view machineFormat = "osi-cuda machine 1";
constexpr std::size_t mostFileBytes = std::size_t{1} << 16;

/// The first bytes of a file; empty where it can't be read.
std::string beginningOf(fs::path const& file, std::size_t bytes) {
  std::ifstream in(file, std::ios::binary);
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
  return text;
}

/// What follows "LABEL ... :" in its line, without blanks around it.
std::string lineValueOf(std::string const& text, std::string const& label) {
  std::size_t at = text.find(label);
  if (at == std::string::npos) return {};
  std::size_t const end = text.find('\n', at);
  at = text.find(':', at);
  if (at == std::string::npos || at > end) return {};
  at = text.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || at >= end) return {};
  std::string value = text.substr(at, end == std::string::npos ? end : end - at);
  value.erase(value.find_last_not_of(" \t\r") + 1);
  // As it stands between quotes in a file of ours.
  std::erase_if(value, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  return value;
}

/// A flat object of texts without escapes and of numbers, which is all that we write.
class FlatJson {
 public:
  using Value = std::variant<std::string, double>;

  explicit FlatJson(std::string_view text) : text_(text) {
    take('{');
    do {
      std::string const key(word());
      take(':');
      values_[key] = peek() == '"' ? Value(std::string(word())) : Value(number());
    } while (peek() == ',' && ++at_);
    take('}');
    if (peek() != '\0') fail("the end");
  }
  std::map<std::string, Value> const& values() const { return values_; }

 private:
  char peek() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (peek() != c) fail(std::string("'") + c + "'");
    ++at_;
  }
  std::string_view word() {
    take('"');
    std::size_t const end = text_.find_first_of("\"\\\n", at_);
    if (end == std::string_view::npos || text_[end] != '"') fail("a text without escapes");
    std::string_view const found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }
  double number() {
    peek();
    double value = 0.0;
    char const* const end = text_.data() + text_.size();
    auto const [rest, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc{}) fail("a number");
    at_ = static_cast<std::size_t>(rest - text_.data());
    return value;
  }
  [[noreturn]] void fail(std::string const& expected) const {
    throw std::runtime_error("expected " + expected + " at byte " + std::to_string(at_));
  }

  std::string_view const text_;
  std::size_t at_ = 0;
  std::map<std::string, Value> values_;
};

/// No machine has a ten-thousandth of the reference's rates, or ten thousand times as much.
bool isRate(double value, double reference) {
  constexpr double far = 1e4;
  return value >= reference / far && value <= reference * far;
}

Machine machineOf(std::map<std::string, FlatJson::Value> const& values) {
  auto const text = [&](char const* name) {
    auto const found = values.find(name);
    auto const* const word =
        found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
    if (!word) throw std::runtime_error(std::string("no text \"") + name + "\"");
    return *word;
  };
  if (text("format") != machineFormat) throw std::runtime_error("not a record of a machine");
  Machine reference = referenceMachine(), machine = reference;
  machine.date = text("date");
  machine.hostName = text("host");
  machine.deviceName = text("device");
  machine.hostSource = "calibrated " + machine.date;
  if (!machine.deviceName.empty()) machine.deviceSource = machine.hostSource;
  for (MachineField const& field : machineFields()) {
    if (field.ofDevice && machine.deviceName.empty()) continue;
    auto const found = values.find(field.name);
    auto const* const value = found == values.end() ? nullptr : std::get_if<double>(&found->second);
    if (!value) throw std::runtime_error(std::string("no number \"") + field.name + "\"");
    if (!isRate(*value, field.of(reference)))
      throw std::runtime_error(std::string("no machine has such a number: \"") + field.name + "\"");
    field.of(machine) = *value;
  }
  return machine;
}

std::string rateText(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr};
}

}  // namespace

std::string hostName() {
  static std::string const name = [] {
    std::string const text = beginningOf("/proc/cpuinfo", 4096);
    std::string model = lineValueOf(text, "model name");
    if (model.empty() && text.find("CPU part") != std::string::npos)  // of Arm
      model = "CPU " + lineValueOf(text, "CPU implementer") + " " + lineValueOf(text, "CPU part");
    return model;
  }();
  return name;
}

std::string firstDeviceName() {
  std::error_code none;
  std::vector<fs::path> cards;
  for (auto const& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", none))
    cards.push_back(entry.path());
  if (cards.empty()) return {};
  return lineValueOf(beginningOf(*std::ranges::min_element(cards) / "information", 4096), "Model");
}

std::string machineFile(std::string const& host, std::string const& device) {
  auto const folder = [](char const* variable) {
    char const* const text = secure_getenv(variable);
    return fs::path(text && *text == '/' ? text : "");
  };
  fs::path cache = folder("XDG_CACHE_HOME");
  if (cache.empty()) {
    cache = folder("HOME");
    if (cache.empty()) return {};
    cache /= ".cache";
  }
  std::string name = "machine-" + host + "-" + (device.empty() ? "no device" : device);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return cache / "osi-cuda" / (name.substr(0, 200) + ".json");
}

Machine readMachine(std::string const& file) {
  try {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) throw std::runtime_error("can't be read");
    std::string const text = beginningOf(file, mostFileBytes);
    if (text.empty()) throw std::runtime_error("can't be read, or is empty");
    return machineOf(FlatJson(text).values());
  } catch (std::runtime_error const& error) {
    throw std::runtime_error(file + ": " + error.what() + "; `osi-cuda calibrate` makes a new one");
  }
}

std::string machineText(Machine machine) {
  std::string text = "{\n";
  auto const add = [&](char const* name, std::string const& value) {
    text += std::string(text.size() > 2 ? ",\n" : "") + "  \"" + name + "\": " + value;
  };
  add("format", "\"" + std::string(machineFormat) + "\"");
  add("date", "\"" + machine.date + "\"");
  add("host", "\"" + machine.hostName + "\"");
  add("device", "\"" + machine.deviceName + "\"");
  for (MachineField const& field : machineFields())
    if (!field.ofDevice || !machine.deviceName.empty())
      add(field.name, rateText(field.of(machine)));
  return text + "\n}\n";
}

}  // namespace osi_cuda
