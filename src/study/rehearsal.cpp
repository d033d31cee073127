// SPDX-License-Identifier: MIT
// Which runs of a study are rehearsed, and for how long.
#include "study/rehearsal.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "study/replications.hpp"

namespace palstudy {
namespace {

// Seconds by the engine's rates: for all doubtful points and for all others.
constexpr double doubtful_s = 8, cheap_s = 2;
// And for the beginnings of runs that write down who is moved; a shorter one would see too little.
constexpr double glimpses_s = 4, least_glimpse_s = 0.1;
// Rows that are kept for weighing; with those of more seeds than one, at which little more is to be learned.
constexpr double most_rows_mib = 128, most_seeds_mib = 64;
// Of more points only so many are looked at.
constexpr std::size_t most_points = 200;
// A machine that is slower than the rates say is not kept for longer.
constexpr double patience_s = 60;

class Rehearsing {
 public:
  Rehearsing(const Study& study, Inputs& inputs, const StudyEstimate& formula,
             const std::function<void(std::size_t, std::size_t)>& told, double more_seeds_s)
      : study_(study), inputs_(inputs), formula_(formula), told_(told), more_seeds_s_(more_seeds_s) {
    all_.points = points_of(study);
  }

  Rehearsal run() {
    const auto chosen = choose();
    std::size_t left = 0, done = 0;
    for (const Candidate& one : chosen) left += one.doubtful ? 1 : 0;
    double doubtful_left_s = doubtful_s, cheap_left_s = cheap_s, glimpses_left_s = glimpses_s;
    for (const Candidate& one : chosen) {
      if (told_) told_(done++, chosen.size());
      if (patience_s < elapsed_s()) break;
      if (!one.doubtful) {
        if (one.formula_s <= cheap_left_s) {
          cheap_left_s -= one.formula_s;
          (void)try_out(one.run, 4 * one.formula_s + 0.1);
        } else if (one.moves && glimpses_left_s > least_glimpse_s) {
          glimpses_left_s -= glimpse_at(one.run, std::max(least_glimpse_s, glimpses_left_s / 4));
        }
        continue;
      }
      doubtful_left_s -= try_out(one.run, doubtful_left_s / static_cast<double>(left--));
    }
    more_seeds();
    all_.seconds = elapsed_s();
    return std::move(all_);
  }

 private:
  struct Candidate {
    std::size_t run = 0;
    bool doubtful = false, moves = false;  // it writes down running jobs that are moved
    double formula_s = 0;
  };

  [[nodiscard]] double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  // The first seed of points, short ones first. Of very many points some: of every order and placement as many, taken
  // by their ids, which are as good as random.
  std::vector<Candidate> choose() {
    std::vector<std::size_t> firsts;
    for (const auto& point : all_.points) firsts.push_back(point.front());
    if (firsts.size() > most_points) {
      std::sort(firsts.begin(), firsts.end(),
                [&](std::size_t a, std::size_t b) { return study_.runs[a].id < study_.runs[b].id; });
      std::map<std::pair<std::string, std::string>, std::size_t> taken;
      std::vector<std::pair<std::size_t, std::size_t>> turns;
      for (const std::size_t run : firsts) {
        const auto& policy = study_.runs[run].policy;
        turns.emplace_back(taken[{policy.order, policy.placement}]++, turns.size());
      }
      std::sort(turns.begin(), turns.end());
      turns.resize(most_points);
      std::vector<std::size_t> some;
      for (const auto& [turn, place] : turns) some.push_back(firsts[place]);
      firsts = std::move(some);
    }
    std::vector<Candidate> chosen;
    for (const std::size_t run : firsts) {
      const Inputs::Loaded loaded = inputs_.load(study_.runs[run]);
      const PolicyTraits traits = traits_of(study_.runs[run], loaded);
      const bool moves = study_.runs[run].output.events && (!traits.sticky || traits.moves_running);
      chosen.push_back({run, is_doubtful(study_.runs[run], loaded, traits), moves, formula_.runs[run].core_s});
    }
    std::sort(chosen.begin(), chosen.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.formula_s, a.run) < std::tie(b.formula_s, b.run);
    });
    return chosen;
  }

  // What it took. One that fails, or is not like the first, is no better known for it.
  double another_seed(std::size_t run, double limit_s) {
    try {
      Rehearsed one = rehearse_as_it_is(study_, study_.runs[run], inputs_, limit_s);
      const double spent_s = one.spent_s;
      if (one.whole) keep(run, std::move(one));
      return spent_s;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::fault) throw;
      return limit_s;
    }
  }

  // What it took.
  double try_out(std::size_t run, double limit_s) {
    Rehearsed one = rehearse(study_, study_.runs[run], inputs_, limit_s);
    const double spent_s = one.spent_s;
    keep(run, std::move(one));
    return spent_s;
  }

  void keep(std::size_t run, Rehearsed one) {
    if (one.whole) {
      rows_mib_ += estimate(study_.runs[run], inputs_.load(study_.runs[run]), one.activity).rows_mib;
      if (rows_mib_ > most_rows_mib) one.record.reset();
    }
    all_.runs.emplace(run, std::move(one));
  }

  double glimpse_at(std::size_t run, double limit_s) {
    std::optional<Rehearsed> one = glimpse(study_, study_.runs[run], inputs_, limit_s);
    if (!one) return limit_s;
    const double spent_s = std::max(one->spent_s, limit_s);
    all_.runs.emplace(run, std::move(*one));
    return spent_s;
  }

  // Of points whose first seed was simulated whole, one seed more of each after the other: what runs write down differs
  // from seed to seed, and is packed better the more there is of it. All runs where they take little.
  void more_seeds() {
    struct Next {
      const std::vector<std::size_t>& point;
      double seconds, rows_mib;  // a run
    };
    std::vector<Next> nexts;
    for (const auto& point : all_.points) {
      const auto first = all_.runs.find(point.front());
      if (first == all_.runs.end() || !first->second.record) continue;
      const auto loaded = inputs_.load(study_.runs[point.front()]);
      const RunPlan& run = study_.runs[point.front()];
      nexts.push_back({point, engine_rates(run, loaded).seconds(first->second.activity),
                       estimate(run, loaded, first->second.activity).rows_mib});
    }
    double left_s = more_seeds_s_;
    for (std::size_t seed = 1, before = 0; before != all_.runs.size(); ++seed) {
      before = all_.runs.size();
      for (const Next& next : nexts) {
        if (seed >= next.point.size() || next.seconds > left_s || rows_mib_ + next.rows_mib > most_seeds_mib) continue;
        if (patience_s < elapsed_s()) return;
        if (told_) told_(all_.runs.size(), 0);  // nobody knows of how many
        left_s -= another_seed(next.point[seed], 4 * next.seconds);
      }
    }
  }

  const Study& study_;
  Inputs& inputs_;
  const StudyEstimate& formula_;
  const std::function<void(std::size_t, std::size_t)>& told_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Rehearsal all_;
  double more_seeds_s_;
  double rows_mib_ = 0;
};

}  // namespace

Rehearsal rehearse(const Study& study, Inputs& inputs, const StudyEstimate& formula,
                   const std::function<void(std::size_t, std::size_t)>& told, double more_seeds_s) {
  return Rehearsing(study, inputs, formula, told, more_seeds_s).run();
}

}  // namespace palstudy
