// SPDX-License-Identifier: MIT
#include "parallel/agree.hpp"

#include <exception>
#include <filesystem>

namespace palstudy {

std::optional<Failure> failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return Failure{error.code(), error.what()};
  } catch (const std::filesystem::filesystem_error& error) {
    return Failure{ErrorCode::data, error.what()};
  } catch (const std::exception& error) {
    return Failure{ErrorCode::fault, error.what()};
  }
  return std::nullopt;
}

void agree(Mpi& mpi, const std::optional<Failure>& failure) {
  const int rank = mpi.rank();
  const std::int64_t ranks = mpi.ranks();
  // The largest of (ranks - rank) is that of the lowest rank; 0: no rank failed.
  const std::int64_t speaker = ranks - mpi.max(failure ? ranks - rank : 0);
  if (speaker == ranks) return;
  const int root = static_cast<int>(speaker);
  std::string message;
  if (failure) message = std::to_string(static_cast<int>(failure->code)) + failure->message;
  message = mpi.broadcast(message, root);
  const auto code = static_cast<ErrorCode>(message.at(0) - '0');
  throw AgreedError(code, (root == 0 ? "" : "rank " + std::to_string(root) + ": ") + message.substr(1));
}

void on_all_ranks(Mpi& mpi, const std::function<void()>& work) { agree(mpi, failure_of(work)); }

void on_rank_0(Mpi& mpi, const std::function<void()>& work) {
  const auto failure = mpi.rank() == 0 ? failure_of(work) : std::nullopt;
  mpi.barrier([] {});  // which leaves the processor to rank 0: `work` may take minutes
  agree(mpi, failure);
}

}  // namespace palstudy
