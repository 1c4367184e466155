// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

namespace osi_cuda {
namespace {

/// MemAvailable counts what the kernel would free on demand, which sysconf's free pages do not.
std::optional<std::uint64_t> systemMemory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> addressSpaceLeft() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  if (!(file >> pages)) return std::nullopt;
  std::uint64_t const used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::optional<std::uint64_t> availableMemory() {
  std::optional<std::uint64_t> const system = systemMemory();
  std::optional<std::uint64_t> const process = addressSpaceLeft();
  if (system && process) return std::min(*system, *process);
  return system ? system : process;
}

std::string memoryLeft() {
  std::optional<std::uint64_t> const bytes = availableMemory();
  return bytes ? byteCount(*bytes) + " are available"
               : "the system does not say how much is available";
}

std::string byteCount(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  constexpr std::array<char const*, 5> units{"kB", "MB", "GB", "TB", "PB"};
  double size = static_cast<double>(bytes) / 1000.0;
  std::size_t unit = 0;
  for (; size >= 999.95 && unit + 1 < units.size(); ++unit) size /= 1000.0;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f %s", size, units[unit]);
  return text.data();
}

std::uint64_t bytesNeeded(ProblemSize const& size) {
  constexpr std::uint64_t number = sizeof(double), index = sizeof(std::int32_t);
  constexpr std::uint64_t vectors = 42;  // by row or column: state, work, bounds, costs, the point
  constexpr std::uint64_t share = 13'000;  // of a point's verdict, from each of its blocks
  std::uint64_t const lines = size.rows + size.columns;
  std::uint64_t const shares = share * std::clamp<std::uint64_t>(lines / 16, 1, 160);
  std::uint64_t const matrix = 2 * size.nonzeros * (number + index) + (lines + 2) * number;
  std::uint64_t const tableau = number * size.rows * size.columns + number * size.blockSize * lines;
  // Kept in single precision, formed in double precision from signs of as many numbers.
  std::uint64_t const sketch = 2 * number * size.sketchSize * lines;
  return shares + matrix + tableau + sketch + vectors * number * lines +
         factorBytes(size.rows, size.columns);
}

std::uint64_t factorBytes(std::uint64_t rows, std::uint64_t columns) {
  std::uint64_t const basis = std::min(rows, columns), half = std::min(rows / 2, columns);
  return sizeof(double) * (basis * basis + std::min(densestBlock, half * (rows - half)));
}

// A block update costs as much as a pass over D, whatever K up to 200 or so; each pivot reads k
// lines.
int usualBlockSize(double rows, double columns) {
  constexpr double largeTableau = 8e6;  // cells: beyond, block updates justify a larger K
  return rows * columns >= largeTableau ? 192 : 128;
}

int inverseOrder(int order) {
  constexpr int usual = 1024;
  int power = smallestInverse;
  while (power < order && power < usual) power *= 2;
  return power;
}

int normalStride(int order) {
  int const block = inverseOrder(order);
  return (order + block - 1) / block * block;
}

std::uint64_t choleskyBytes(int order) {
  auto const stride = static_cast<std::uint64_t>(normalStride(order)),
             block = static_cast<std::uint64_t>(inverseOrder(order)),
             columns = static_cast<std::uint64_t>(order);
  constexpr std::uint64_t columnsOfWork = 64;  // of cuSOLVER, about
  return sizeof(double) * (stride * block + stride * block / 2 + columnsOfWork * columns);
}

// One device adds up and factors small matrices as fast as several do; of large ones products of
// wider panels are faster.
int panelWidth(int order, int devices) {
  constexpr std::int64_t small = 24576;
  constexpr int large = 32768;
  return small > std::int64_t{devices} * order ? std::max(1, order) : order < large ? 512 : 1024;
}

std::uint64_t panelBytes(int order, int width) {
  auto const w = static_cast<std::uint64_t>(width);
  return width < order ? choleskyBytes(width) + sizeof(double) * w * w : 0;
}

// Normal equations are as many as there are rows or columns, whichever are less. The normal matrix
// and the LU use the same memory.
DeviceNeeds deviceNeeds(int rows, int columns, int devices) {
  constexpr std::uint64_t packets = 128, vectors = 40;  // bytes, numbers; by row and column
  auto const m = static_cast<std::uint64_t>(rows), n = static_cast<std::uint64_t>(columns);
  int const order = std::min(rows, columns);
  auto const p = static_cast<std::uint64_t>(order),
             stride = static_cast<std::uint64_t>(normalStride(order));
  DeviceNeeds needs;
  needs.array = sizeof(double) * m * n;
  needs.hostArray = bytesNeeded({m, n, 0, static_cast<std::uint64_t>(usualBlockSize(rows, columns)),
                                 usualSketch}) +
                    packets * (m + n);
  needs.simplex = needs.hostArray + needs.array;
  needs.barrier = needs.simplex + sizeof(double) * (p * (stride - p) + vectors * (m + n)) +
                  choleskyBytes(order) +
                  sizeof(double) * static_cast<std::uint64_t>(devices - 1) * p;
  if (devices > 1) {
    needs.barrier += panelBytes(order, panelWidth(order, devices));
    needs.share = shareBytes(order, std::max(rows, columns) / devices, panelWidth(order, devices));
  }
  return needs;
}

std::uint64_t shareBytes(int order, int count, int width) {
  auto const p = static_cast<std::uint64_t>(order), length = static_cast<std::uint64_t>(count),
             stride = static_cast<std::uint64_t>(normalStride(order));
  return sizeof(double) * (p * (2 * length + stride + 1) + length) + panelBytes(order, width);
}

std::string memorySentence(ProblemSize const& size, std::uint64_t needed, std::uint64_t available,
                           std::string const& kind) {
  return std::to_string(size.rows) + " x " + std::to_string(size.columns) + " needs " +
         byteCount(needed) + " of " + kind + ", " + byteCount(available) + " are available";
}

}  // namespace osi_cuda
