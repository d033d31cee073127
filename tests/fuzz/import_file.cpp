// SPDX-License-Identifier: MIT
// Any bytes are, for every importer, either times of GPUs and sensors, or refused as data; nothing else may happen.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "variability/profile/importer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palstudy;
  const ImportFile file{"/nowhere/fuzz.csv", {reinterpret_cast<const char*>(data), size}};
  for (const auto& one : importers().entries()) {
    try {
      (void)one.make.looks(file);
      const ImportedFile read = one.make.read(file, {});
      check_profile(in_order(read.profile), "fuzz");
    } catch (const Error& error) {
      if (error.code() != ErrorCode::data) std::abort();
    }
  }
  return 0;
}
