// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/cuda/cuda_error.hpp"

namespace palstudy {

/// Makes a GPU the current one of the calling thread.
inline void use_device(int device) { check_cuda(cudaSetDevice(device), "cudaSetDevice"); }

/// A stream of the current GPU. It does not wait for the default stream, so everything that belongs together, copies
/// included, has to go through one stream.
class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

  void wait(const char* what) const { check_cuda(cudaStreamSynchronize(stream_), what); }
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
    check_cuda(cudaMemcpyAsync(to, from, bytes, kind, stream_), "cudaMemcpy");
  }
  /// Sets every byte.
  void set(void* to, int value, std::size_t bytes) const {
    check_cuda(cudaMemsetAsync(to, value, bytes, stream_), "cudaMemset");
  }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(const Stream& stream) const { check_cuda(cudaEventRecord(event_, stream.get()), "cudaEventRecord"); }
  [[nodiscard]] double seconds_since(const Event& begin) const {
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin.event_, event_), "cudaEventElapsedTime");
    return ms * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Memory of the current GPU, or page-locked memory of the host.
class CudaMemory {
 public:
  enum class Place { device, host };
  CudaMemory(Place place, std::size_t bytes) : place_(place) {
    check_cuda(place == Place::device ? cudaMalloc(&data_, bytes) : cudaMallocHost(&data_, bytes), "cudaMalloc");
  }
  ~CudaMemory() { place_ == Place::device ? cudaFree(data_) : cudaFreeHost(data_); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  [[nodiscard]] std::byte* get() const { return static_cast<std::byte*>(data_); }

 private:
  Place place_;
  void* data_ = nullptr;
};

}  // namespace palstudy
