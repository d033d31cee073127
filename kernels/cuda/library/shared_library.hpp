// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <string>

#include "core/error.hpp"

namespace palstudy {

/// A library of the toolkit, opened when a kernel first wants it: cuBLAS is half a gigabyte, and a program linked with
/// it would not start where it is missing. It stays open. Errors (usage): it is not there.
class SharedLibrary {
 public:
  explicit SharedLibrary(const std::string& name) : name_(name), library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      const std::string folder = PALSTUDY_CUDA_LIBRARY_DIR;
      library_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (library_ == nullptr) throw usage_error(dlerror(), name, "put the toolkit's libraries on LD_LIBRARY_PATH");
  }

  /// The function of this name, with the type that the header declares.
  template <class Function>
  void load(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (function == nullptr) throw usage_error("no function " + std::string(name), name_);
  }

 private:
  std::string name_;
  void* library_;
};

}  // namespace palstudy
