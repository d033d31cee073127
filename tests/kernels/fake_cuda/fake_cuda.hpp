// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace palstudy {

/// What the pretended GPUs are; a test sets it.
struct FakeGpus {
  int devices = 0;
  std::size_t free_bytes = std::size_t{1} << 30;
  int failing_waits = 0;  ///< so many waits for a stream end with the error of a kernel that failed
};
extern FakeGpus fake_gpus;

/// Adds work to a stream of the pretended GPUs, null for the default one.
void enqueue_on_fake_stream(void* stream, std::function<void()> work);

}  // namespace palstudy
