// SPDX-License-Identifier: MIT
// Runs under mpirun with any number of ranks; exits with 1 and a line on the rank that saw something wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <sstream>
#include <vector>

#include "parallel/agree.hpp"
#include "parallel/mpi.hpp"
#include "parallel/team.hpp"
#include "parallel/transfers.hpp"
#include "parallel/work_counter.hpp"
#include "sim/engine/throwing_placement.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

class Checks {
 public:
  explicit Checks(int rank) : rank_(rank) {}
  void expect(bool holds, const std::string& what) {
    if (holds) return;
    fmt::print(stderr, "rank {}: {}\n", rank_, what);
    failed_ = true;
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  int rank_;
  bool failed_ = false;
};

// What all ranks together got from the counter, on rank 0.
std::vector<long long> numbers_of_all(Mpi& mpi, const std::vector<long long>& own) {
  std::vector<long long> all;
  for (const auto& text : mpi.gather(fmt::format("{}", fmt::join(own, " ")))) {
    std::istringstream in(text);
    for (long long number = 0; in >> number;) all.push_back(number);
  }
  return all;
}

// The ranks take 1,000 numbers, those of higher rank first doing nothing else: none may be lost or given twice, so the
// union is 0..999. Each rank reads one number beyond the end, as a campaign does.
void check_counter(Mpi& mpi, Checks& checks) {
  constexpr long long count = 1000;
  std::vector<long long> own;
  {
    WorkCounter counter(mpi);
    for (long long number = counter.next(); number < count; number = counter.next()) {
      own.push_back(number);
      counter.report(number % 10 == 0);
      counter.tick();
    }
    mpi.barrier([&] { counter.tick(); });
    const WorkProgress progress = counter.progress();
    checks.expect(progress.done == 900 && progress.failed == 100, "reports are lost");
    checks.expect(progress.taken == count + mpi.ranks(), "numbers are lost");
    mpi.barrier();
  }
  checks.expect(std::is_sorted(own.begin(), own.end()), "numbers go back");
  auto all = numbers_of_all(mpi, own);
  if (mpi.rank() != 0) return;
  std::sort(all.begin(), all.end());
  checks.expect(all.size() == count, fmt::format("{} numbers instead of {}", all.size(), count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != static_cast<long long>(i)) return checks.expect(false, fmt::format("{} instead of {}", all[i], i));
  }
}

// Any rank can stop all, and all get to know without a collective call.
void check_stop(Mpi& mpi, Checks& checks) {
  WorkCounter counter(mpi);
  checks.expect(!counter.stopping(), "stopped before anybody did");
  mpi.barrier();
  if (mpi.rank() == mpi.ranks() - 1) counter.stop_all();
  while (!counter.stopping()) counter.tick();
  mpi.barrier([&] { counter.tick(); });
}

void check_collectives(Mpi& mpi, Checks& checks) {
  checks.expect(mpi.max(mpi.rank() * 3) == (mpi.ranks() - 1) * 3, "max");
  const std::string big(100000, 'x');
  checks.expect(mpi.broadcast(mpi.rank() == 0 ? big : "other") == big, "broadcast");
  checks.expect(mpi.broadcast(std::to_string(mpi.rank()), mpi.ranks() - 1) == std::to_string(mpi.ranks() - 1), "root");
  const std::vector<double> numbers = {0.1, 1e-300, 3};
  checks.expect(mpi.broadcast(mpi.rank() == 0 ? numbers : std::vector<double>(7)) == numbers, "broadcast of a vector");
  std::array<std::int64_t, 2> pair = {mpi.rank(), 5};
  mpi.broadcast(std::span<std::int64_t>(pair), mpi.ranks() - 1);
  checks.expect(pair == std::array<std::int64_t, 2>{mpi.ranks() - 1, 5}, "broadcast of a span");
  const auto all = mpi.gather(std::string(static_cast<std::size_t>(mpi.rank()), 'r'));
  checks.expect(all.size() == (mpi.rank() == 0 ? static_cast<std::size_t>(mpi.ranks()) : 0U), "gather");
  for (std::size_t r = 0; r < all.size(); ++r) checks.expect(all[r] == std::string(r, 'r'), "gather in rank order");
}

// One rank fails: all throw the same, with its code and its number.
void check_agreement(Mpi& mpi, Checks& checks) {
  on_all_ranks(mpi, [] {});
  for (int bad = 0; bad < mpi.ranks(); ++bad) {
    std::string message;
    ErrorCode code{};
    try {
      on_all_ranks(mpi, [&] {
        if (mpi.rank() >= bad) throw data_error("disk full", "rank" + std::to_string(mpi.rank()));
      });
    } catch (const AgreedError& error) {
      message = error.what();
      code = error.code();
    }
    const std::string said = fmt::format("{}rank{}: disk full", bad == 0 ? "" : fmt::format("rank {}: ", bad), bad);
    checks.expect(message == said && code == ErrorCode::data, "agreed on \"" + message + "\"");
  }
}

// One rank of a team throws in its midst of a run: all ranks of the team throw, the others because one has, and MPI can
// be used as before.
void check_thrown(Mpi& mpi, Checks& checks) {
  SmallWorld world;
  world.nodes = world.partitions = 8;
  world.placement = "packed-nonsticky";
  world.engine.round_s = 30;
  world.measure.last = 79;
  add_random_jobs(world, 3, 80, 900, 300);
  Team team(mpi, mpi.ranks(), [] {});
  for (int bad = 0; bad < mpi.ranks(); ++bad) {
    std::string said = "nothing";
    try {
      (void)world.with_world([&](const World& of, const Policies& policies) {
        ThrowingPlacement throws(policies.placement, mpi.rank() == bad ? 5 : -1);
        return simulate(of, {policies.order, throws, policies.routing}, team.exchange());
      });
    } catch (const OtherRankFailed&) {
      said = "another";
    } catch (const std::exception& error) {
      said = error.what();
    }
    checks.expect(said == (mpi.rank() == bad ? ThrowingPlacement::message : "another"), "a throw ended as " + said);
    checks.expect(mpi.max(mpi.rank()) == mpi.ranks() - 1, "no collective after a throw");
  }
}

// Host memory in which one value arrives wrong.
class Faulty : public TransferMemory {
 public:
  explicit Faulty(std::size_t bytes) : good_(host_memory(bytes)) {}
  [[nodiscard]] std::byte* sent() override { return good_->sent(); }
  [[nodiscard]] std::byte* received() override { return good_->received(); }
  void before_send(std::size_t bytes) override { good_->before_send(bytes); }
  void after_receive(std::size_t bytes) override { good_->after_receive(bytes); }
  void set(std::span<const float> values) override { good_->set(values); }
  void get(std::span<float> values) override {
    good_->get(values);
    values.back() += 1;
  }

 private:
  std::unique_ptr<TransferMemory> good_;
};

// Between the ends of the row of ranks, and over all of them but the first: data arrive, sums are right, and all ranks
// are told the same; where one rank gets a wrong value, all hear of it.
void check_transfers(Mpi& mpi, Checks& checks) {
  const int last = mpi.ranks() - 1;
  std::vector<int> group;
  for (int rank = last > 1 ? 1 : 0; rank <= last; ++rank) group.push_back(rank);
  for (const std::size_t bytes : {std::size_t{4096}, std::size_t{1} << 20U}) {
    const auto memory = host_memory(bytes);
    Faulty faulty(bytes);
    TransferMemory& one_bad = mpi.rank() == last ? static_cast<TransferMemory&>(faulty) : *memory;
    const TransferTime link = measure_link(mpi, 0, last, *memory, bytes);
    const TransferTime sum = measure_allreduce(mpi, group, *memory, bytes);
    checks.expect(link.seconds > 0 && link.check_error == 0, "a message arrives");
    checks.expect(sum.seconds > 0 && sum.check_error == 0, "a sum is right");
    checks.expect(mpi.broadcast(fmt::format("{}", link.seconds)) == fmt::format("{}", link.seconds),
                  "one time for all");
    checks.expect(measure_link(mpi, 0, last, one_bad, bytes).check_error > 1, "a wrong message is noticed");
    checks.expect(measure_allreduce(mpi, group, one_bad, bytes).check_error > 1, "a wrong sum is noticed");
  }
}

bool all_hold(int& argc, char**& argv) {
  Mpi mpi(argc, argv);
  Checks checks(mpi.rank());
  check_collectives(mpi, checks);
  check_counter(mpi, checks);
  check_stop(mpi, checks);
  check_agreement(mpi, checks);
  check_thrown(mpi, checks);
  if (mpi.ranks() > 1) check_transfers(mpi, checks);
  return mpi.max(checks.failed() ? 1 : 0) == 0;
}

}  // namespace
}  // namespace palstudy

int main(int argc, char** argv) { return palstudy::all_hold(argc, argv) ? EXIT_SUCCESS : EXIT_FAILURE; }
