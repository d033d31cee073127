// SPDX-License-Identifier: MIT
// Any bytes as the front of a checkpoint: what the decoder is content with lies within the file.
#include <cstdlib>

#include "shard/checkpoint_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palstudy;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  CheckpointHead head;
  if (!decode_checkpoint_head(bytes, size, head).empty()) return 0;
  for (const CheckpointFrame& frame : head.frames) {
    if (frame.begin > size || frame.length > size - frame.begin) std::abort();
  }
  return 0;
}
