// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace palstudy {

/// Calls `take(text, line)` with each object of a JSON array of objects and the line on which it begins, one after the
/// other, so that a log of gigabytes is never held as a tree. What is in an object is not looked at: only its braces,
/// brackets and quotes have to close.
/// Errors (data, name:line): not an array of objects, something that does not close.
void for_each_object(std::string_view json, const std::string& name,
                     const std::function<void(std::string_view text, std::size_t line)>& take);

}  // namespace palstudy
