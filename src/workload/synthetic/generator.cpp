// SPDX-License-Identifier: MIT
#include "workload/synthetic/generator.hpp"

namespace palstudy {

void register_generators(GeneratorRegistry& registry);  // generated

const GeneratorRegistry& generators() {
  static const GeneratorRegistry registry = [] {
    GeneratorRegistry all("generator");
    register_generators(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
