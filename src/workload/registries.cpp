// SPDX-License-Identifier: MIT
#include "workload/reader.hpp"

namespace palstudy {

void register_readers(ReaderRegistry& registry);        // generated
void register_generators(GeneratorRegistry& registry);  // generated

const ReaderRegistry& readers() {
  static const ReaderRegistry registry = [] {
    ReaderRegistry all("reader");
    register_readers(all);
    return all;
  }();
  return registry;
}

const GeneratorRegistry& generators() {
  static const GeneratorRegistry registry = [] {
    GeneratorRegistry all("generator");
    register_generators(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
