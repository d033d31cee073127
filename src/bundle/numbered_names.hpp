// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace palstudy {

/// Numbers in place of the names of hosts, devices and people, such as "host-07" for one in a field "host". The numbers
/// of a field are in the order of its names, since what is drawn from measured nodes depends on that order.
class NumberedNames {
 public:
  /// Before `number`: takes the name and returns it. Afterwards: returns what stands for it; "" for "".
  std::string operator()(const std::string& field, const std::string& name);
  void number();

 private:
  std::map<std::string, std::map<std::string, std::string>> fields_;  ///< of each, name -> what stands for it
  bool numbered_ = false;
};

}  // namespace palstudy
