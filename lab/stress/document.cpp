// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/document.hpp"

#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace osi_cuda::stress {

std::string withSection(std::string const& text, std::string const& name,
                        std::string const& content) {
  std::string const first = "<!-- " + name + " -->\n", last = "<!-- end of " + name + " -->";
  auto const start = text.find(first);
  auto const end = start == std::string::npos ? start : text.find(last, start);
  if (end == std::string::npos)
    throw std::invalid_argument("there are no lines " + first.substr(0, first.size() - 1) +
                                " and " + last);
  return text.substr(0, start + first.size()) + content + text.substr(end);
}

void replaceSection(std::string const& file, std::string const& name, std::string const& content) {
  std::ostringstream text;
  {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + " can't be read");
    text << in.rdbuf();
  }
  std::string const changed = withSection(text.str(), name, content);
  std::ofstream out(file);
  out << changed;
  out.flush();
  if (!out) throw std::runtime_error(file + " can't be written");
}

std::string dateAndMachine() {
  std::time_t const now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::string model;
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; model.empty() && std::getline(processors, line);)
    if (line.rfind("model name", 0) == 0) model = line.substr(line.find(':') + 2);
  return std::string(date) + ", a machine with " +
         std::to_string(std::thread::hardware_concurrency()) + " cores" +
         (model.empty() ? "" : " (" + model + ")");
}

}  // namespace osi_cuda::stress
