// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace palstudy {

/// Numbers in place of the names of hosts, devices and people, such as "host-07". The numbers of a kind are in the
/// order of its names, since what is drawn from measured nodes depends on that order.
class NumberedNames {
 public:
  /// The kind of name in a field of a file, such as "host" of "hostname"; "" of one that is not known to hold any.
  [[nodiscard]] static std::string kind_of(const std::string& field);
  /// Before `number`: takes the name and returns it. Afterwards: returns what stands for it; "" for "".
  std::string operator()(const std::string& kind, const std::string& name);
  void number();

 private:
  std::map<std::string, std::map<std::string, std::string>> kinds_;  ///< of each, name -> what stands for it
  bool numbered_ = false;
};

}  // namespace palstudy
