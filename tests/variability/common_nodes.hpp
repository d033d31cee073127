// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/note.hpp"

namespace palstudy {

/// How many nodes carry the kernels of all classes, by the note of this id; 0 if there is none.
inline std::size_t common_nodes(const std::vector<Note>& notes, std::string_view id) {
  const Note* note = find(notes, id);
  return note == nullptr ? 0 : (*note)["nodes"].count();
}

}  // namespace palstudy
