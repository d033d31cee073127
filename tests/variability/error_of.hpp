// SPDX-License-Identifier: MIT
#pragma once
#include "core/error.hpp"

namespace palstudy {

/// The error with which `action` ends; a fault if it ends without one.
template <class Do>
Error error_of(Do action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return fault("nothing was refused");
}

}  // namespace palstudy
