// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace palstudy {

/// Two buffers in a GPU's memory, one to send and one to receive, each with a twin in page-locked host memory.
class DeviceBuffers {
 public:
  DeviceBuffers() = default;
  DeviceBuffers(const DeviceBuffers&) = delete;
  DeviceBuffers& operator=(const DeviceBuffers&) = delete;
  virtual ~DeviceBuffers() = default;
  enum class Which { sent, received };
  [[nodiscard]] virtual std::byte* on_device(Which which) = 0;
  [[nodiscard]] virtual std::byte* on_host(Which which) = 0;
  /// Copies the first bytes between the twins, and waits for it.
  virtual void to_host(Which which, std::size_t bytes) = 0;
  virtual void to_device(Which which, std::size_t bytes) = 0;
};

/// Errors (usage): no GPU, or not enough memory.
[[nodiscard]] std::unique_ptr<DeviceBuffers> make_device_buffers(int device, std::size_t bytes);

/// Median seconds that a copy takes from one GPU to another that this process sees, by their direct way (peer access);
/// both told by PCI bus id. NaN: the process does not see both, or they have no such way. `error` gets 0 if what
/// arrived is right, else infinity.
[[nodiscard]] double peer_copy_s(const std::string& from, const std::string& to, std::size_t bytes, double& error);

}  // namespace palstudy
