// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/transfer_buffer.hpp"

namespace palstudy {
namespace {

/// Memory of a device or of the host, given back at the end.
class Memory {
 public:
  Memory(bool device, std::size_t bytes) : device_(device) {
    check_cuda(device ? cudaMalloc(&data_, bytes) : cudaMallocHost(&data_, bytes), "memory for transfers");
  }
  ~Memory() { device_ ? cudaFree(data_) : cudaFreeHost(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] std::byte* get() const { return static_cast<std::byte*>(data_); }

 private:
  bool device_;
  void* data_ = nullptr;
};

struct Chosen {
  explicit Chosen(int device) { check_cuda(cudaSetDevice(device), "cudaSetDevice"); }
};

class Buffers : public DeviceBuffers {
 public:
  Buffers(int device, std::size_t bytes)
      : chosen_(device), device_{{true, bytes}, {true, bytes}}, host_{{false, bytes}, {false, bytes}} {}
  [[nodiscard]] std::byte* on_device(Which which) override { return device_[place(which)].get(); }
  [[nodiscard]] std::byte* on_host(Which which) override { return host_[place(which)].get(); }
  void to_host(Which which, std::size_t bytes) override {
    check_cuda(cudaMemcpy(on_host(which), on_device(which), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  void to_device(Which which, std::size_t bytes) override {
    check_cuda(cudaMemcpy(on_device(which), on_host(which), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }

 private:
  static std::size_t place(Which which) { return which == Which::sent ? 0 : 1; }
  Chosen chosen_;
  Memory device_[2], host_[2];
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
    check_cuda(cudaSetDevice(device), "cudaSetDevice");
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

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  [[nodiscard]] cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

double timed_copies(std::byte* to, int to_device, const std::byte* from, int from_device, std::size_t bytes) {
  constexpr std::size_t warm_ups = 2, count = 21;
  const Event begin, end;
  std::vector<float> ms;
  for (std::size_t i = 0; i < warm_ups + count; ++i) {
    check_cuda(cudaEventRecord(begin.get()), "cudaEventRecord");
    check_cuda(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr), "cudaMemcpyPeer");
    check_cuda(cudaEventRecord(end.get()), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end.get()), "cudaMemcpyPeer");
    float one = 0;
    check_cuda(cudaEventElapsedTime(&one, begin.get(), end.get()), "cudaEventElapsedTime");
    if (i >= warm_ups) ms.push_back(one);
  }
  std::nth_element(ms.begin(), ms.begin() + count / 2, ms.end());
  return ms[count / 2] * 1e-3;
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
    check_cuda(cudaSetDevice(to), "cudaSetDevice");
    const Memory target(true, bytes);
    const PeerAccess access(from, to);
    const Memory source(true, bytes);
    std::vector<unsigned char> sent(bytes), got(bytes);
    for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i * 7 % 251);
    check_cuda(cudaMemcpy(source.get(), sent.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    seconds = timed_copies(target.get(), to, source.get(), from, bytes);
    check_cuda(cudaMemcpy(got.data(), target.get(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    error = got == sent ? 0 : std::numeric_limits<double>::infinity();
  }
  check_cuda(cudaSetDevice(before), "cudaSetDevice");
  return seconds;
}

}  // namespace palstudy
