// SPDX-License-Identifier: MIT
#include "core/host.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <ctime>

namespace palstudy {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace palstudy
