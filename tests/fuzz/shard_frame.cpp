// SPDX-License-Identifier: MIT
// Any bytes as a shard, and, since the checksum would keep nearly all of them from the reader behind it, any bytes as
// the inside of a frame: what is read must write the very same bytes again.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "shard/decode_frames.hpp"
#include "shard/run_frame.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palstudy;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const RunRecord& record : decode_frames(bytes).records) (void)encode_frame(record);
  RunRecord record;
  if (!decode_payload(bytes, record).empty()) return 0;
  const auto again = encode_payload(record);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  if (decode_frames(encode_frame(record)).records.size() != 1) std::abort();
  return 0;
}
