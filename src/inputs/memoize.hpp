// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

namespace palstudy {

/// The thing with this text; made if it is not there yet.
template <class Thing, class Make>
const Thing& memoize(std::map<std::string, std::unique_ptr<Thing>>& things, const std::string& text, Make make) {
  auto& thing = things[text];
  if (!thing) thing = std::make_unique<Thing>(make());
  return *thing;
}

}  // namespace palstudy
