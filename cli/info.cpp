// SPDX-License-Identifier: EPL-2.0
#include <dlfcn.h>
#include <sqlite3.h>
#include <CLI/Version.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "bridges/bridge.hpp"
#include "cli/command.hpp"
#include "cli/machine.hpp"
#include "cli/manual.hpp"
#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/solve/engines.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

Json enginesJson() {
  Json engines = Json::array();
  for (EngineReport const& engine : findEngines()) {
    Json entry{{"name", engine.name}, {"devices", engine.devices}};
    if (!engine.reason.empty()) entry["reason"] = engine.reason;
    engines.push_back(entry);
  }
  return engines;
}

/// What a function without arguments of a library that is loaded says; empty if there is none. By
/// name, because the readers and the solver keep these libraries to themselves.
std::string said(char const* function) {
  using Version = char const*();
  void* const address = dlsym(RTLD_DEFAULT, function);
  return address ? reinterpret_cast<Version*>(address)() : "";
}

/// The libraries that the program runs with, as they call themselves at run time.
Json librariesJson() {
  Json found = Json::object();
  auto const add = [&](char const* name, std::string const& version) {
    if (!version.empty()) found[name] = version.substr(0, version.find(','));
  };
  std::istringstream config(blas::config());  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::string name, version;
  if (config >> name >> version) add("OpenBLAS", version + " with kernels for " + blas::kernels());
  add("zlib", said("zlibVersion"));
  add("bzip2", said("BZ2_bzlibVersion"));
  add("xz", said("lzma_version_string"));
  add("Zstandard", said("ZSTD_versionString"));
  add("SQLite", sqlite3_libversion());
  add("CLI11", CLI11_VERSION);
  add("nlohmann-json", Json::meta()["version"]["string"]);
  return found;
}

/// Adds "bridges", versions by name, "bridge_libraries", the files of those that were looked for,
/// and "missing_bridges", reasons by name.
void addBridges(Json& info) {
  Json found = Json::object(), libraries = found, missing = found;
  for (BridgeReport const& report : findBridges()) {
    if (!report.library.empty()) libraries[report.name] = report.library;
    if (report.bridge)
      found[report.name] = report.bridge->version();
    else
      missing[report.name] = report.reason;
  }
  info["bridges"] = std::move(found);
  info["bridge_libraries"] = std::move(libraries);
  info["missing_bridges"] = std::move(missing);
}

void addEngines(std::ostream& out, Json const& engines) {
  for (Json const& engine : engines) {
    std::string const name = engine["name"];
    if (engine.contains("reason"))
      out << "engine      " << name << ": not usable, " << engine["reason"].get<std::string>()
          << '\n';
    int number = 0;
    for (Json const& device : engine["devices"])
      out << "engine      " << name << ", device " << number++ << ": " << device.get<std::string>()
          << '\n';
  }
}

void addVersions(std::ostream& out, char const* label, Json const& versions) {
  for (auto const& [name, version] : versions.items())
    out << label << name << ' ' << version.get<std::string>() << '\n';
}

std::string asText(Json const& info) {
  std::ostringstream out;
  out << "osi-cuda    " << info["version"].get<std::string>() << '\n'
      << "build       " << info["build"].get<std::string>() << ", "
      << info["compiler"].get<std::string>() << '\n'
      << "CUDA module "
      << (info.contains("cuda_module_file") ? info["cuda_module_file"].get<std::string>()
          : info["cuda_module"].get<bool>() ? "built"
                                            : "not built")
      << '\n';
  addEngines(out, info["engines"]);
  for (char const* const part : {"host", "device"}) {
    std::string const name = info["machine"][part]["name"];
    out << "numbers     " << part << (name.empty() ? "" : ", " + name) << ": "
        << info["machine"][part]["source"].get<std::string>() << '\n';
  }
  if (info["machine"].contains("fault"))
    out << "numbers     " << info["machine"]["fault"].get<std::string>() << '\n';
  addVersions(out, "library     ", info["libraries"]);
  addVersions(out, "bridge      ", info["bridges"]);
  addVersions(out, "library of  ", info["bridge_libraries"]);
  for (auto const& [name, reason] : info["missing_bridges"].items())
    out << "bridge      " << name << ": not usable, " << reason.get<std::string>() << '\n';
  return out.str();
}

/// Which module is in use, of several that are installed; none: it can't be opened.
void addModule(Json& info) {
  Dl_info of{};
  try {
    if (dladdr(reinterpret_cast<void const*>(cudaModule().makeEngine), &of) != 0)
      info["cuda_module_file"] = of.dli_fname;
  } catch (EngineUnavailable const&) {  // the engines say why
  }
}

/// Version, build, engines and devices, numbers of the machine, libraries, bridges.
Json infoJson() {
  Json info{{"version", OSI_CUDA_VERSION}, {"build", OSI_CUDA_BUILD_TYPE},
            {"compiler", compiler()},      {"cuda_module", OSI_CUDA_MODULE_BUILT != 0},
            {"engines", enginesJson()},    {"machine", machineJson(machineInUse())},
            {"libraries", librariesJson()}};
  addModule(info);
  addBridges(info);
  return info;
}

/// What of such a problem fits on a card: by the best method that does.
std::string fitOf(DeviceNeeds const& needs, double memory) {
  constexpr double withBarrier = 0.9e9, withPivots = 0.6e9;  // CUDA and its libraries
  auto const fits = [&](std::uint64_t bytes, double context) {
    return static_cast<double>(bytes) + context <= memory;
  };
  return fits(needs.barrier, withBarrier)    ? "barrier and simplex"
         : fits(needs.simplex, withPivots)   ? "simplex"
         : fits(needs.hostArray, withPivots) ? "simplex with the array in the host's memory"
                                             : "nothing";
}

/// Of this machine's first device, if there is one, and of the built-in cards.
Json cardsJson(DeviceNeeds const& needs) {
  Json cards = Json::array();
  auto const add = [&](std::string_view name, double memory) {
    cards.push_back({{"name", name}, {"memory", memory}, {"fits", fitOf(needs, memory)}});
  };
  Machine const& here = machineInUse();
  if (!here.deviceName.empty()) add(here.deviceName, here.device.memory);
  for (std::string_view const name : builtInDevices()) add(name, builtInDevice(name)->memory);
  return cards;
}

/// What dense problems of a size as 80000x40000 take of a device's memory, one or many.
std::string memoryText(std::string const& size, std::string const& devices, bool json) {
  int rows = 0, columns = 0;
  char rest = '\0';
  if (std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) != 2 || rows < 1 || columns < 1)
    throw Failure(ExitStatus::usage,
                  "--memory: expected a size as 80000x40000, found '" + size + "'");
  Options options;
  if (std::string const fault = setOption(options, "devices", devices); !fault.empty())
    throw Failure(ExitStatus::usage, fault);
  auto const count = static_cast<int>(devicesOf(options).size());
  DeviceNeeds const needs = deviceNeeds(rows, columns, count);
  auto const [batch, variants] = osi_cuda::batch::manyNeeds(rows, columns, 1 << 30, 1);
  if (json)
    return toText(Json{{"rows", rows},
                       {"columns", columns},
                       {"array", needs.array},
                       {"barrier", needs.barrier},
                       {"share", needs.share},
                       {"simplex", needs.simplex},
                       {"simplex_host_array", needs.hostArray},
                       {"batch", batch},
                       {"variants", variants},
                       {"cards", cardsJson(needs)}}) +
           "\n";
  std::string cards;
  for (Json const& card : cardsJson(needs))
    cards += "card        " + card["name"].get<std::string>() + ", " +
             byteCount(card["memory"].get<std::uint64_t>()) + ": " +
             card["fits"].get<std::string>() + '\n';
  return "array       " + byteCount(needs.array) + "\nbarrier     " + byteCount(needs.barrier) +
         " of device memory, with crossover" +
         (count > 1 ? ", on the first device\nshare       " + byteCount(needs.share) +
                          " on each other device"
                    : "") +
         "\nsimplex     " + byteCount(needs.simplex) + ", or " + byteCount(needs.hostArray) +
         " with the array in the host's memory\nbatch       " + byteCount(batch) +
         " at most, however many problems\nvariants    " + byteCount(variants) +
         " at most, however many variants of one\n"
         "context     0.6 to 0.9 GB more, of CUDA and its libraries\n" +
         cards;
}

struct Arguments {
  std::string memory, devices = "one";
  bool json = false;
  bool markdown = false;
  bool manual = false;
  std::string completions;
};

}  // namespace

Run setUpInfo(CLI::App& app) {
  auto const arguments = std::make_shared<Arguments>();
  CLI::Option* const json =
      app.add_flag("--json", arguments->json, "print one JSON object and nothing else");
  app.add_flag("--options-markdown", arguments->markdown,
               "print the table of solver options as Markdown")
      ->excludes(json);
  addValue(app, "--memory", arguments->memory, "ROWSxCOLUMNS",
           "print the device memory that a dense problem takes, and no more");
  addValue(app, "--devices", arguments->devices, "0,1,...",
           "of --memory: that share the solve, as in 0,1");
  app.add_flag("--manual", arguments->manual, "print the manual page, for man")->excludes(json);
  addValue(app, "--completions", arguments->completions, "SHELL",
           "print what makes a shell complete this program's words: bash, zsh or fish")
      ->excludes(json);
  return [arguments] {
    if (arguments->manual) {
      std::cout << manualPage();
    } else if (!arguments->completions.empty()) {
      std::string const text = completions(arguments->completions);
      if (text.empty())
        throw Failure(ExitStatus::usage, "--completions: expected bash, zsh or fish, found '" +
                                             arguments->completions + "'");
      std::cout << text;
    } else if (!arguments->memory.empty()) {
      std::cout << memoryText(arguments->memory, arguments->devices, arguments->json);
    } else if (arguments->markdown) {
      std::cout << optionsMarkdown();
    } else {
      Json const info = infoJson();
      std::cout << (arguments->json ? toText(info) + "\n" : asText(info));
    }
    return ExitStatus::optimal;
  };
}

std::string optionsMarkdown() {
  std::ostringstream out;
  out << "| option | values | default | what it does |\n|---|---|---|---|\n";
  for (OptionRecord const& record : optionTable())
    out << "| `--" << record.name << "` | " << record.values << " | `" << record.defaultText
        << "` | " << record.help << " |\n";
  return out.str();
}

}  // namespace osi_cuda::cli
