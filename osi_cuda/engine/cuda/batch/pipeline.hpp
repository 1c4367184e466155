// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

/// The way of many problems to a device and back: parts travel through page-locked memory in turn,
/// so that one is on its way while another is being solved.
namespace osi_cuda::cuda {

/// Gives out pieces of one allocation, each aligned to 16 bytes.
class Layout {
 public:
  template <class T>
  std::size_t take(std::size_t count) {
    std::size_t const place = used_;
    used_ += (count * sizeof(T) + 15) / 16 * 16;
    return place;
  }
  std::size_t bytes() const { return used_; }

 private:
  std::size_t used_ = 0;
};

/// An event that tells its time, which those of makeEvent may not.
Event makeTimer();

template <class T>
void grow(DeviceArray<T>& array, std::size_t size, cudaStream_t stream) {
  if (size <= array.size()) return;
  array.reserve(size + size / 8);
  clear(stream, array, array.size());  // what no problem writes travels as well
}
template <class T>
void grow(PinnedArray<T>& array, std::size_t size) {
  if (size <= array.size()) return;
  array = PinnedArray<T>();
  array = PinnedArray<T>(size + size / 8);
}

/// What one part needs; used again and again.
struct Slot {
  /// A problem's place in the part's arrays of answers; without lengths where nobody wants points.
  struct Piece {
    std::int64_t column = 0, row = 0;
    int columns = 0, rows = 0;
  };

  Stream stream;
  Event begin, end;
  PinnedArray<char> in, out;
  DeviceArray<char> deviceIn, deviceOut, proofs;
  DeviceArray<char> numbers;  ///< what Kind::send sends
  DeviceArray<double> tableaus;
  DeviceArray<unsigned> counters;  ///< one for each queue of problems, zero at first

  /// What the kind of problems says of a part: the chosen problems first..last - 1 and their
  /// answers, the lengths of the arrays of answers, the bytes that go there.
  std::size_t first = 0, last = 0;  ///< first == last: nothing under way
  std::vector<Piece> pieces;
  std::size_t columns = 0, rows = 0, queues = 1, inBytes = 0, numberBytes = 0;
  bool points = true;      ///< the answers come back, not the reports alone
  std::size_t places = 0;  ///< where `in` has the pieces' places, of answers that stay there

  /// Where the answers' pieces begin, on both sides.
  std::size_t report = 0, x = 0, y = 0, columnStatus = 0, rowStatus = 0, outBytes = 0;
  std::size_t yLow = 0, ray = 0, rayLow = 0, proofBytes = 0;

  template <class T>
  T* inAt(std::size_t place) const {
    return reinterpret_cast<T*>(in.data() + place);
  }
  template <class T>
  T const* deviceInAt(std::size_t place) const {
    return reinterpret_cast<T const*>(deviceIn.data() + place);
  }
  template <class T>
  T const* outAt(std::size_t place) const {
    return reinterpret_cast<T const*>(out.data() + place);
  }
};

/// One kind of problems: what goes to the device for a part, and what works on it there.
class Kind {
 public:
  virtual ~Kind() = default;
  /// Takes problems from slot.first of the chosen ones on; fills in what Slot says of a part.
  virtual void choose(Slot& slot) = 0;
  /// Writes slot.in, of slot.inBytes.
  virtual void pack(Slot const& slot) = 0;
  /// Sends slot.numbers in the slot's stream.
  virtual void send(Slot const&, Uploader&) {}
  /// Launches what solves the part, in the slot's stream.
  virtual void launch(Slot& slot, PartAnswers const& answers) = 0;
};

class Pipeline {
 public:
  /// On the present device.
  Pipeline();

  /// Solves the chosen problems with `slots` <= mostSlots parts on their way at a time. Returns the
  /// seconds of the kernels.
  double run(batch::DeviceJob const& job, Kind& kind, int slots);

  static constexpr int mostSlots = 3;

  cudaStream_t stream() const { return slots_[0].stream; }
  Uploader& uploader() { return uploader_; }
  /// In the device's view; not zero: nothing more is to be taken.
  int const* stop() const { return stop_.onDevice(); }
  void drain() const;  ///< waits for all that is under way

 private:
  void begin(Slot& slot, batch::DeviceJob const& job, Kind& kind);
  double finish(Slot const& slot, batch::DeviceJob const& job, std::size_t through);
  void wait(Slot const& slot, batch::DeviceJob const& job, std::size_t through);
  double secondsAtWork(Slot const& slot);

  Event origin_;            ///< the beginning of a call
  float busyUntil_ = 0.0f;  ///< milliseconds from there: no kernel that has ended did so later
  PinnedArray<int> stop_;
  Uploader uploader_;
  Slot slots_[mostSlots];
};

}  // namespace osi_cuda::cuda
