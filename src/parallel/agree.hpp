// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

/// An error that all ranks throw alike, so that all leave by the same path and rank 0 alone prints it.
class AgreedError : public Error {
 public:
  AgreedError(ErrorCode code, const std::string& message) : Error(code, message) {}
};

/// What went wrong on one rank, to be agreed on later.
struct Failure {
  ErrorCode code;
  std::string message;
};
/// Calls `work` and catches what it throws.
[[nodiscard]] std::optional<Failure> failure_of(const std::function<void()>& work);

/// Collective. If a rank has failed, every rank throws the AgreedError of the lowest such rank (its message names the
/// rank where that is not 0).
void agree(Mpi& mpi, const std::optional<Failure>& failure);
/// Collective: `work` on every rank, then agree.
void on_all_ranks(Mpi& mpi, const std::function<void()>& work);
/// Collective: `work` on rank 0 alone, then agree.
void on_rank_0(Mpi& mpi, const std::function<void()>& work);

}  // namespace palstudy
