// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>

namespace palstudy {

/// One GPU of NVML, whose functions are called by the prototypes of its published API reference: the header is not in
/// every toolkit, and a program linked with the library does not start where there is no driver.
class NvmlDevice {
 public:
  using Handle = struct nvmlDevice_st*;
  using Result = int;                                        // 0 is success
  static constexpr unsigned sm_clock = 1, memory_clock = 2;  ///< nvmlClockType_t

  /// Opens the library and finds the GPU at a PCI bus id. Nothing, and why, if the library or the device is not there.
  [[nodiscard]] static std::unique_ptr<NvmlDevice> open(const std::string& pci_bus_id, const std::string& library,
                                                        std::string& problem);
  ~NvmlDevice();
  NvmlDevice(const NvmlDevice&) = delete;
  NvmlDevice& operator=(const NvmlDevice&) = delete;

  [[nodiscard]] Handle handle() const { return handle_; }
  /// A function of the library, null where it has none of that name.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }

 private:
  explicit NvmlDevice(void* library) : library_(library) {}
  void* library_;
  Handle handle_ = nullptr;
  bool started_ = false;
};

}  // namespace palstudy
