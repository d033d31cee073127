// SPDX-License-Identifier: MIT
#include "shard/measured_frame.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>
#include <set>
#include <type_traits>

#include "core/byte_stream.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {
namespace {

enum class Content : std::uint8_t { repeat, transfers };

/// The fields in the order in which a frame holds them: one list for writing, reading and the hash of the layout.
template <class Gpu, class Each>
void gpu_fields(Gpu& gpu, Each&& each) {
  each(gpu.uuid), each(gpu.host), each(gpu.local), each(gpu.cabinet), each(gpu.name), each(gpu.pci_bus_id);
  each(gpu.serial), each(gpu.board_part), each(gpu.vbios), each(gpu.ecc), each(gpu.mig), each(gpu.persistence);
  each(gpu.numa_node), each(gpu.multiprocessors), each(gpu.memory_bytes), each(gpu.power_limit_w);
  each(gpu.power_limit_default_w), each(gpu.max_sm_mhz), each(gpu.max_mem_mhz);
}
template <class Kernel, class Each>
void kernel_fields(Kernel& kernel, Each&& each) {
  each(kernel.name), each(kernel.params), each(kernel.pipe), each(kernel.flops), each(kernel.bytes_least);
  each(kernel.bytes_most);
}
template <class Repeat, class Each>
void repeat_fields(Repeat& repeat, Each&& each) {
  each(repeat.repeat), each(repeat.launches), each(repeat.warm_up_s), each(repeat.host_s), each(repeat.start_ns);
  each(repeat.flags), each(repeat.check_error), each(repeat.batch_ms);
  auto& samples = repeat.telemetry;
  each(samples.t_ns), each(samples.sm_mhz), each(samples.mem_mhz), each(samples.power_w), each(samples.temp_c);
  each(samples.energy_j), each(samples.reasons);
}
template <class Measured, class Each>
void measured_fields(Measured& measured, Each&& each) {
  gpu_fields(measured.gpu, each);
  kernel_fields(measured.kernel, each);
  repeat_fields(measured.repeat, each);
  each(measured.remarks);
}
template <class Transfer, class Each>
void transfer_fields(Transfer& transfer, Each&& each) {
  each(transfer.kernel), each(transfer.level), each(transfer.path), each(transfer.ranks), each(transfer.bytes);
  each(transfer.seconds), each(transfer.check_error);
}

/// A whole number takes 64 bits, a vector its count and its elements.
struct Write {
  ByteWriter& out;
  void operator()(const std::string& text) const { out.text(text); }
  void operator()(double real) const { out.value(real); }
  template <class T>
  requires std::is_integral_v<T>
  void operator()(T integer) const { out.value(static_cast<std::int64_t>(integer)); }
  template <class T>
  void operator()(const std::vector<T>& values) const {
    out.value(std::uint64_t{values.size()});
    out.array(values);
  }
};
struct Read {
  ByteReader& in;
  void operator()(std::string& text) const { text = in.text(); }
  void operator()(double& real) const { real = in.value<double>(); }
  template <class T>
  requires std::is_integral_v<T>
  void operator()(T& integer) const { integer = static_cast<T>(in.value<std::int64_t>()); }
  template <class T>
  void operator()(std::vector<T>& values) const {
    values = in.array<T>(in.value<std::uint64_t>());
  }
};
struct Letters {
  std::string& all;
  void operator()(const std::string&) const { all += 's'; }
  void operator()(double) const { all += 'f'; }
  template <class T>
  requires std::is_integral_v<T>
  void operator()(T) const { all += 'i'; }
  template <class T>
  void operator()(const std::vector<T>&) const {
    all += std::is_integral_v<T> ? 'I' : 'F';
  }
};

}  // namespace

const FrameKind& measured_frames() {
  static const FrameKind kind = [] {
    std::string letters = "palstudy-measured-1\n";
    MeasuredRepeat repeat;
    ProfileTransfer transfer;
    measured_fields(repeat, Letters{letters});
    letters += '\n';
    transfer_fields(transfer, Letters{letters});
    return FrameKind{{'P', 'A', 'L', 'M', 'E', 'A', 'S', '1'}, XXH3_64bits(letters.data(), letters.size())};
  }();
  return kind;
}

namespace {

std::string id_of(const std::string& text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return digits;
}

std::string name_of(const MeasuredRepeat& measured) {
  return measured.gpu.uuid + '\n' + measured.kernel.name + '\n' + measured.kernel.params + '\n' +
         std::to_string(measured.repeat.repeat);
}

std::string decode_payload(std::span<const std::byte> payload, Measured& measured) {
  ByteReader in(payload);
  const auto whole = [&] {
    if (in.good() && in.left() > 0) in.fail("bytes follow its last column");
    return in.good();
  };
  const auto kind = in.value<std::uint8_t>();
  if (kind == static_cast<std::uint8_t>(Content::repeat)) {
    MeasuredRepeat repeat;
    measured_fields(repeat, Read{in});
    if (in.good() && repeat.repeat.batch_ms.empty()) in.fail("it has no batch");
    if (whole()) measured.repeats.push_back(std::move(repeat));
  } else if (kind == static_cast<std::uint8_t>(Content::transfers)) {
    std::vector<ProfileTransfer> transfers;
    const auto count = in.value<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && in.good(); ++i) transfer_fields(transfers.emplace_back(), Read{in});
    if (whole()) measured.transfers = std::move(transfers);
  } else {
    in.fail("it is neither a repeat nor transfers");
  }
  return in.problem();
}

}  // namespace

std::vector<std::byte> encode_measured(const MeasuredRepeat& repeat) {
  ByteWriter out;
  out.value(Content::repeat);
  measured_fields(repeat, Write{out});
  return pack_frame(measured_frames(), id_of(name_of(repeat)), out.take());
}

std::vector<std::byte> encode_measured(const std::vector<ProfileTransfer>& transfers) {
  ByteWriter out;
  out.value(Content::transfers);
  out.value(std::uint64_t{transfers.size()});
  for (const ProfileTransfer& transfer : transfers) transfer_fields(transfer, Write{out});
  return pack_frame(measured_frames(), id_of("transfers"), out.take());
}

Measured read_measured(const std::filesystem::path& parts, std::vector<std::string>& problems) {
  Measured all;
  for (const auto& file : shard_files(parts)) {
    const auto read = read_frames(measured_frames(), file, [&](const std::string&, auto payload, std::uint64_t) {
      return decode_payload(payload, all);
    });
    if (read && !read->wrong.empty()) {
      problems.push_back(file.string() + " " + read->wrong + "; its other frames are kept.");
    }
  }
  std::set<std::string> seen;
  std::erase_if(all.repeats, [&](const MeasuredRepeat& repeat) { return !seen.insert(name_of(repeat)).second; });
  return all;
}

}  // namespace palstudy
