// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"

namespace palstudy {

/// What the ranks of a team throw of which another has failed: that one has the reason.
class OtherRankFailed : public Error {
 public:
  OtherRankFailed() : Error(ErrorCode::fault, "the simulation failed on another rank of the team") {}
};

/// What an exchange has sent and received so far, on this rank.
struct ExchangeCounts {
  std::uint64_t gathers = 0, reductions = 0;  ///< collective calls
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  double seconds = 0;  ///< spent in them, waiting for the slowest rank included
};

/// The collective calls between the ranks that simulate one run. Every call but `tick` is collective over them and
/// comes in the same order on all. The engine cannot tell one process from many.
class Exchange {
 public:
  virtual ~Exchange() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;

  /// `table` has `width` cells a partition, of which this rank has filled those of its own; `owner`: the rank of each
  /// partition. Afterwards every rank has all of it.
  virtual void gather(std::span<std::int64_t> table, std::size_t width, const std::vector<int>& owner) = 0;
  /// The least of the ranks' values.
  [[nodiscard]] virtual double earliest(double time_s) = 0;
  /// The largest of the ranks' values, place by place.
  virtual void max(std::span<double> values) = 0;
  /// What every rank has, by rank, on rank 0; nothing elsewhere.
  [[nodiscard]] virtual std::vector<std::string> collect(std::string bytes) = 0;
  /// Called between the collective calls at least every few milliseconds, so that the rank can serve others meanwhile.
  virtual void tick() = 0;

  [[nodiscard]] const ExchangeCounts& counts() const { return counts_; }

 protected:
  ExchangeCounts counts_;
};

/// One process: there are no other ranks.
class LocalExchange : public Exchange {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int ranks() const override { return 1; }
  void gather(std::span<std::int64_t>, std::size_t, const std::vector<int>&) override {}
  [[nodiscard]] double earliest(double time_s) override { return time_s; }
  void max(std::span<double>) override {}
  [[nodiscard]] std::vector<std::string> collect(std::string bytes) override { return {std::move(bytes)}; }
  void tick() override {}
};

}  // namespace palstudy
