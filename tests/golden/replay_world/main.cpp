// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "replay.hpp"

namespace {

using palstudy::replay::Part;

int usage(const std::vector<Part>& parts, const std::string& problem) {
  fmt::print(stderr, "replay: {}\nusage: tests/golden/replay FAMILY FOLDER\nfamilies:\n", problem);
  for (const Part& part : parts) fmt::print(stderr, "  {}: {}\n", part.family, part.summary);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  palstudy::ReplayParts parts;
  palstudy::register_replays(parts);
  if (count != 3) return usage(parts.all(), "give a family and a folder");
  const std::string family = words[1];
  const std::filesystem::path folder = words[2];
  if (std::none_of(parts.all().begin(), parts.all().end(), [&](const Part& part) { return part.family == family; })) {
    return usage(parts.all(), "unknown family " + family);
  }
  if (!std::filesystem::is_directory(folder)) return usage(parts.all(), "no folder " + folder.string());
  palstudy::replay::Results results;
  bool complete = true;
  for (const Part& part : parts.all()) {
    if (part.family != family) continue;
    try {
      part.run(folder, results);
    } catch (const std::exception& error) {  // a recorded file that cannot be read is not equal
      fmt::print(stderr, "replay: {}\n", error.what());
      complete = false;
    }
  }
  return results.finish() && complete ? 0 : 1;
}
