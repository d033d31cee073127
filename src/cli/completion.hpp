// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace palstudy {

/// A word that may stand next on the command line, and what it is, in a few words or none.
struct NextWord {
  std::string word, summary;
};

/// What may stand in place of the last of `words`, which follow the name of the program; none where a file is wanted.
/// Sub-commands and options are those of `program`; names of policies, readers, keys, ... are those of the registries.
[[nodiscard]] std::vector<NextWord> complete(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace palstudy
