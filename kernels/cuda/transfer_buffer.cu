// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/cuda/cuda_resources.hpp"
#include "kernels/transfer_buffer.hpp"

namespace palstudy {
namespace {

class Buffers : public DeviceBuffers {
 public:
  Buffers(int device, std::size_t bytes)
      : chosen_(device),
        device_{{Place::device, bytes}, {Place::device, bytes}},
        host_{{Place::host, bytes}, {Place::host, bytes}} {}
  [[nodiscard]] std::byte* on_device(Which which) override { return device_[place(which)].get(); }
  [[nodiscard]] std::byte* on_host(Which which) override { return host_[place(which)].get(); }
  void to_host(Which which, std::size_t bytes) override {
    copy(on_host(which), on_device(which), bytes, cudaMemcpyDeviceToHost);
  }
  void to_device(Which which, std::size_t bytes) override {
    copy(on_device(which), on_host(which), bytes, cudaMemcpyHostToDevice);
  }

 private:
  using Place = CudaMemory::Place;
  struct Chosen {
    explicit Chosen(int device) { use_device(device); }
  };
  static std::size_t place(Which which) { return which == Which::sent ? 0 : 1; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaMemcpyKind kind) const {
    stream_.copy(to, from, bytes, kind);
    stream_.wait("cudaMemcpy");
  }
  Chosen chosen_;
  Stream stream_;
  CudaMemory device_[2], host_[2];
};

/// The number of the GPU at a PCI bus id, -1 where this process does not see it.
int device_at(const std::string& pci_bus_id) {
  int device = -1;
  if (cudaDeviceGetByPCIBusId(&device, pci_bus_id.c_str()) == cudaSuccess) return device;
  (void)cudaGetLastError();
  return -1;
}

/// While it lives, `device` may write to `peer`.
class PeerAccess {
 public:
  PeerAccess(int device, int peer) : peer_(peer) {
    use_device(device);
    const auto code = cudaDeviceEnablePeerAccess(peer, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) {
      (void)cudaGetLastError();
    } else {
      check_cuda(code, "cudaDeviceEnablePeerAccess");
    }
  }
  ~PeerAccess() { cudaDeviceDisablePeerAccess(peer_); }
  PeerAccess(const PeerAccess&) = delete;
  PeerAccess& operator=(const PeerAccess&) = delete;

 private:
  int peer_;
};

double timed_copies(std::byte* to, int to_device, const std::byte* from, int from_device, std::size_t bytes,
                    const Stream& stream) {
  constexpr std::size_t warm_ups = 2, count = 21;
  const Event begin, end;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < warm_ups + count; ++i) {
    begin.record(stream);
    check_cuda(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream.get()), "cudaMemcpyPeer");
    end.record(stream);
    stream.wait("cudaMemcpyPeer");
    if (i >= warm_ups) seconds.push_back(end.seconds_since(begin));
  }
  std::nth_element(seconds.begin(), seconds.begin() + count / 2, seconds.end());
  return seconds[count / 2];
}

}  // namespace

std::unique_ptr<DeviceBuffers> make_device_buffers(int device, std::size_t bytes) {
  return std::make_unique<Buffers>(device, bytes);
}

double peer_copy_s(const std::string& from_id, const std::string& to_id, std::size_t bytes, double& error) {
  const double absent = std::numeric_limits<double>::quiet_NaN();
  const int from = device_at(from_id), to = device_at(to_id);
  int can = 0;
  error = absent;
  if (from < 0 || to < 0 || from == to) return absent;
  check_cuda(cudaDeviceCanAccessPeer(&can, from, to), "cudaDeviceCanAccessPeer");
  if (can == 0) return absent;
  int before = 0;
  check_cuda(cudaGetDevice(&before), "cudaGetDevice");
  double seconds = absent;
  {
    use_device(to);
    const CudaMemory target(CudaMemory::Place::device, bytes);
    const PeerAccess access(from, to);
    const CudaMemory source(CudaMemory::Place::device, bytes);
    const Stream stream;
    std::vector<unsigned char> sent(bytes), got(bytes);
    for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i * 7 % 251);
    stream.copy(source.get(), sent.data(), bytes, cudaMemcpyHostToDevice);
    seconds = timed_copies(target.get(), to, source.get(), from, bytes, stream);
    // By the same stream, though the memory is the other GPU's: unified addresses say whose it is.
    stream.copy(got.data(), target.get(), bytes, cudaMemcpyDeviceToHost);
    stream.wait("cudaMemcpy");
    error = got == sent ? 0 : std::numeric_limits<double>::infinity();
  }
  use_device(before);
  return seconds;
}

}  // namespace palstudy
