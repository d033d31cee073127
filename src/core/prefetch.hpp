// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// Asks for the line of the cache in which `object` begins, without waiting for it. Worth it where many things that lie
/// far apart are looked at one after the other: asked for together, they are on the way at the same time. Never changes
/// a result. A GNU extension, which every compiler of this project has.
template <class T>
inline void prefetch(const T& object) {
  __builtin_prefetch(&object);
}

}  // namespace palstudy
