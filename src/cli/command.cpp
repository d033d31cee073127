// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "core/shown_text.hpp"
#include "parallel/agree.hpp"

namespace palstudy {

int on_every_rank(Mpi& mpi, const std::function<int()>& command) {
  const auto alone = [&](ErrorCode code, const char* message) {
    fmt::print(stderr, "palstudy: rank {}: {}\n", mpi.rank(), shown_lines(message));
    mpi.abort(static_cast<int>(code));
  };
  try {
    return command();
  } catch (const AgreedError& error) {
    if (mpi.ranks() == 1) throw;
    // A launcher ends all ranks at the first exit code that is not 0, so the others wait until rank 0 has printed.
    if (mpi.rank() == 0) {
      std::fflush(stdout);
      fmt::print(stderr, "palstudy: {}\n", shown_lines(error.what()));
      std::fflush(stderr);
    }
    mpi.barrier();
    return error.exit_code();
  } catch (const Error& error) {
    if (mpi.ranks() == 1) throw;
    alone(error.code(), error.what());
  } catch (const std::exception& error) {
    if (mpi.ranks() == 1) throw;
    alone(ErrorCode::fault, error.what());
  }
  return static_cast<int>(ErrorCode::fault);
}

}  // namespace palstudy
