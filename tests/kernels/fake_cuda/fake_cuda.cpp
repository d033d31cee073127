// SPDX-License-Identifier: MIT
#include "fake_cuda.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime.h"

using Work = std::function<void()>;

struct FakeStream {
  std::vector<Work> waiting;
};
struct FakeEvent {
  bool done = false;
  long time_us = 0;
};

namespace palstudy {
FakeGpus fake_gpus;
}
using palstudy::fake_gpus;

namespace {

FakeStream default_stream;
std::set<FakeStream*> streams = {&default_stream};
int current_device = 0;
long clock_us = 0;

cudaError_t add(cudaStream_t stream, Work work) {
  (stream == nullptr ? default_stream : *stream).waiting.push_back(std::move(work));
  return cudaSuccess;
}
void finish(FakeStream& stream) {
  for (const Work& work : std::exchange(stream.waiting, {})) work();
}
cudaError_t allocate(void** data, std::size_t bytes) {
  *data = std::malloc(bytes);
  return *data == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace

void palstudy::enqueue_on_fake_stream(void* stream, std::function<void()> work) {
  (void)add(static_cast<cudaStream_t>(stream), [work = std::move(work)] {
    clock_us += 1000;  // a launch takes a millisecond
    work();
  });
}

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorLaunchFailure ? "unspecified launch failure" : "an error of the pretended GPU";
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_gpus.devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= fake_gpus.devices) return cudaErrorInvalidValue;
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  std::strcpy(properties->name, "pretended GPU");
  properties->uuid.bytes[15] = static_cast<char>(device);
  properties->totalGlobalMem = std::size_t{1} << 30;
  properties->multiProcessorCount = 132;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  std::snprintf(text, static_cast<std::size_t>(size), "0000:%02x:00.0", device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  *device = static_cast<int>(std::strtol(text + 5, nullptr, 16));
  return *device < fake_gpus.devices ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaDeviceSynchronize() {
  for (FakeStream* stream : streams) finish(*stream);
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = fake_gpus.free_bytes;
  *total = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaMallocHost(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaFree(void* data) {
  (void)cudaDeviceSynchronize();  // as the real one does
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }

// From the host's memory a copy returns when the bytes are taken, not when they have arrived.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind != cudaMemcpyHostToDevice) return add(stream, [=] { std::memcpy(to, from, bytes); });
  auto taken = std::make_shared<std::string>(static_cast<const char*>(from), bytes);
  return add(stream, [=] { std::memcpy(to, taken->data(), bytes); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  (void)cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return kind == cudaMemcpyDeviceToHost ? cudaStreamSynchronize(nullptr) : cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return cudaMemsetAsync(to, value, bytes, nullptr); }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return add(stream, [=] { std::memset(to, value, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new FakeStream;
  streams.insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  finish(*stream);
  streams.erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  finish(stream == nullptr ? default_stream : *stream);
  if (fake_gpus.failing_waits == 0) return cudaSuccess;
  --fake_gpus.failing_waits;
  return cudaErrorLaunchFailure;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new FakeEvent;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->done = false;
  return add(stream, [=] {
    event->done = true;
    event->time_us = clock_us++;
  });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  if (!begin->done || !end->done) return cudaErrorNotReady;
  *ms = static_cast<float>(end->time_us - begin->time_us) * 1e-3F;
  return cudaSuccess;
}
