// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>

#include "core/error.hpp"

namespace palstudy {

/// Turns a status of MPI into an error with MPI's own words, the expression and its place.
inline void check_mpi(int status, const char* expression, const char* file, int line) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  if (MPI_Error_string(status, text, &size) != MPI_SUCCESS) size = 0;
  throw fault("MPI: " + std::string(text, static_cast<std::size_t>(size)) + " in " + expression,
              std::string(file) + ":" + std::to_string(line));
}

}  // namespace palstudy

/// Calls MPI; errors become exceptions (the communicators and windows are set to MPI_ERRORS_RETURN).
#define PALSTUDY_MPI(call) ::palstudy::check_mpi((call), #call, __FILE__, __LINE__)
