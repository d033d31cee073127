// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/cuda_resources.hpp"

namespace palstudy {

void register_cuda_kernels(CudaKernelRegistry& registry);          // generated
void register_cuda_library_kernels(CudaKernelRegistry& registry);  // generated

namespace {

const CudaKernelRegistry& cuda_kernels() {
  static const CudaKernelRegistry registry = [] {
    CudaKernelRegistry all("CUDA kernel");
    register_cuda_kernels(all);
    register_cuda_library_kernels(all);
    return all;
  }();
  return registry;
}

void refuse_too_large(const KernelEntry& kernel, const std::vector<ArraySpec>& specs) {
  std::size_t wanted = 0, free = 0, total = 0;
  for (const ArraySpec& spec : specs) wanted += spec.bytes;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (wanted > free) {
    throw usage_error("kernel " + kernel.name + " wants " + std::to_string(wanted >> 20) + " MiB, and the GPU has " +
                          std::to_string(free >> 20) + " MiB free",
                      "", "give a smaller size with --param");
  }
}

class CudaRunner : public Runner {
 public:
  CudaRunner(const KernelEntry& kernel, const ParamValues& params, const RunnerOptions& options)
      : problem_(kernel.make.make(params)), arrays_(problem_->arrays(), false), device_(options.device) {
    refuse_too_large(kernel, arrays_.specs());
    problem_->fill(arrays_, options.seed);
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      memory_.push_back(std::make_unique<CudaMemory>(CudaMemory::Place::device, arrays_.specs()[i].bytes));
      pointers.push_back(memory_.back()->get());
    }
    launch_ = cuda_kernels().at(kernel.name).make(params, pointers, stream_.get());
    // A library may have filled tables of its own on a stream of its own.
    check_cuda(cudaDeviceSynchronize(), "preparing a kernel");
    for (const std::size_t i : of_role(ArrayRole::input)) {
      stream_.copy(memory_[i]->get(), arrays_.bytes(i).data(), arrays_.specs()[i].bytes, cudaMemcpyHostToDevice);
    }
  }

  /// Every batch lies between two events; all are read after the last, so that nothing waits between batches.
  std::vector<double> batches(std::size_t count, std::size_t launches) override {
    use_device(device_);
    while (events_.size() < 2 * count) events_.push_back(std::make_unique<Event>());
    for (std::size_t i = 0; i < count; ++i) {
      events_[2 * i]->record(stream_);
      for (std::size_t j = 0; j < launches; ++j) launch_();
      events_[2 * i + 1]->record(stream_);
    }
    stream_.wait("a kernel");
    std::vector<double> seconds;
    for (std::size_t i = 0; i < count; ++i) seconds.push_back(events_[2 * i + 1]->seconds_since(*events_[2 * i]));
    return seconds;
  }

  [[nodiscard]] Verdict check() override {
    use_device(device_);
    for (const std::size_t i : of_role(ArrayRole::output))
      stream_.set(memory_[i]->get(), 0xff, arrays_.specs()[i].bytes);
    launch_();
    for (const std::size_t i : of_role(ArrayRole::output)) {
      stream_.copy(arrays_.bytes(i).data(), memory_[i]->get(), arrays_.specs()[i].bytes, cudaMemcpyDeviceToHost);
    }
    stream_.wait("a kernel");
    return problem_->check(arrays_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> of_role(ArrayRole role) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_.specs()[i].role == role) places.push_back(i);
    }
    return places;
  }

  /// Chosen before the stream is made.
  struct Chosen {
    explicit Chosen(int device) { use_device(device); }
  };
  std::unique_ptr<Problem> problem_;
  Arrays arrays_;
  int device_;
  Chosen chosen_{device_};
  Stream stream_;
  std::vector<std::unique_ptr<CudaMemory>> memory_;
  std::vector<std::unique_ptr<Event>> events_;
  CudaLaunch launch_;
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// As nvidia-smi writes it: GPU-8-4-4-4-12 hexadecimal digits.
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    char digits[4];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

}  // namespace

int count_cuda_devices() {
  int count = 0;
  // No driver, no GPU: different codes, the same to us.
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

DeviceInfo cuda_device_info(int device) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  char bus[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(bus, sizeof(bus), device), "cudaDeviceGetPCIBusId");
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check_cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  DeviceInfo info;
  info.name = properties.name;
  info.uuid = uuid_text(properties.uuid);
  info.pci_bus_id = bus;
  info.driver = version_text(driver);
  info.runtime = version_text(runtime);
  info.memory_bytes = static_cast<double>(properties.totalGlobalMem);
  info.multiprocessors = properties.multiProcessorCount;
  return info;
}

bool has_cuda_kernel(const std::string& name) {
  const auto names = cuda_kernels().names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::unique_ptr<Runner> make_cuda_runner(const KernelEntry& kernel, const ParamValues& params,
                                         const RunnerOptions& options) {
  const int devices = count_cuda_devices();
  if (devices == 0) {
    throw usage_error("this process sees no GPU", "--backend cuda",
                      "run where there is one and its driver is loaded, or take --backend host");
  }
  if (options.device < 0 || options.device >= devices) {
    throw usage_error("there is no GPU " + std::to_string(options.device), "--device",
                      "this process sees " + std::to_string(devices));
  }
  if (!has_cuda_kernel(kernel.name)) {
    throw usage_error("this build has no kernel " + kernel.name, "",
                      kernel.make.library + " was not found when it was configured");
  }
  return std::make_unique<CudaRunner>(kernel, params, options);
}

}  // namespace palstudy
