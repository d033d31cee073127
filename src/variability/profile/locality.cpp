// SPDX-License-Identifier: MIT
#include "variability/profile/locality.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

const NoteKind few_links("few-links", Severity::care);

constexpr std::array<Level, 3> all_levels = {Level::node, Level::cabinet, Level::cluster};

/// One measured time, as messages and bytes of which it is made: messages x alpha + bytes / beta.
struct Point {
  double messages, bytes, seconds;
};

Point point_of(const std::string& kernel, std::int64_t ranks, double bytes, double seconds) {
  if (kernel == "link") return {1, bytes, seconds};
  const auto n = static_cast<double>(ranks);
  return {2 * (n - 1), 2 * (n - 1) / n * bytes, seconds};
}

/// Sums of products for least squares of relative deviations.
struct Sums {
  double mm = 0, mb = 0, bb = 0, m = 0, b = 0;
  void add(const Point& point) {
    const double x = point.messages / point.seconds, y = point.bytes / point.seconds;
    mm += x * x;
    mb += x * y;
    bb += y * y;
    m += x;
    b += y;
  }
};

/// Fits at least two sizes. If one parameter would be negative, it is 0 and the other fitted alone.
LevelLink fit(const std::vector<Point>& points) {
  Sums sums;
  for (const Point& point : points) sums.add(point);
  const double determinant = sums.mm * sums.bb - sums.mb * sums.mb;
  LevelLink link;
  link.alpha_s = (sums.m * sums.bb - sums.b * sums.mb) / determinant;
  link.seconds_per_byte = (sums.b * sums.mm - sums.m * sums.mb) / determinant;
  if (!(link.alpha_s >= 0)) {
    link.alpha_s = 0;
    link.seconds_per_byte = sums.b / sums.bb;
  } else if (!(link.seconds_per_byte >= 0)) {
    link.seconds_per_byte = 0;
    link.alpha_s = sums.m / sums.mm;
  }
  double squares = 0;
  for (const Point& point : points) {
    const double fitted = point.messages * link.alpha_s + point.bytes * link.seconds_per_byte;
    squares += (fitted / point.seconds - 1) * (fitted / point.seconds - 1);
  }
  link.residual = std::sqrt(squares / static_cast<double>(points.size()));
  link.points = points.size();
  return link;
}

/// Sizes and groups of one kernel, level and path; over sessions and pairs the median of each.
std::vector<Point> points_of(const Profile& profile, const std::string& kernel, Level level, const std::string& path) {
  std::map<std::pair<std::int64_t, double>, std::vector<double>> times;
  for (const ProfileTransfer& row : profile.transfers) {
    if (row.kernel != kernel || row.level != level_name(level) || row.path != path) continue;
    if (row.seconds > 0 && row.bytes > 0 && row.ranks > 1) times[{row.ranks, row.bytes}].push_back(row.seconds);
  }
  std::vector<Point> points;
  for (auto& [place, seconds] : times) points.push_back(point_of(kernel, place.first, place.second, median(seconds)));
  return points;
}

bool two_sizes(const std::vector<Point>& points) {
  std::set<double> shares;  // of bytes to messages: with one share alone, alpha and beta cannot be separated
  for (const Point& point : points) shares.insert(point.bytes / point.messages);
  return shares.size() > 1;
}

/// A path's sums go before its copies; of the paths the fastest is what a library of collectives would take.
std::optional<LevelLink> fit_level(const Profile& profile, Level level) {
  std::set<std::string> paths;
  for (const ProfileTransfer& row : profile.transfers) paths.insert(row.path);
  std::optional<LevelLink> best;
  for (const std::string& path : paths) {
    std::string kernel = "allreduce";
    auto points = points_of(profile, kernel, level, path);
    if (!two_sizes(points)) points = points_of(profile, kernel = "link", level, path);
    if (!two_sizes(points)) continue;
    LevelLink link = fit(points);
    if (best && link.seconds_per_byte >= best->seconds_per_byte) continue;
    link.kernel = kernel;
    link.path = path;
    link.from = level;
    best = std::move(link);
  }
  return best;
}

/// The measured level that stands for one that was not: the next wider, else the next narrower.
Level stand_in(const std::array<std::optional<LevelLink>, 3>& measured, std::size_t level) {
  for (std::size_t i = level + 1; i < measured.size(); ++i) {
    if (measured[i]) return all_levels[i];
  }
  for (std::size_t i = level; i-- > 0;) {
    if (measured[i]) return all_levels[i];
  }
  return all_levels[level];
}

/// Seconds to sum S bytes over n GPUs of a level.
double allreduce_s(const LevelLink& link, double bytes, std::uint32_t gpus) {
  const Point one = point_of("allreduce", gpus, bytes, 0);
  return one.messages * link.alpha_s + one.bytes * link.seconds_per_byte;
}

}  // namespace

std::string level_name(Level level) {
  return level == Level::node ? "node" : level == Level::cabinet ? "cabinet" : "cluster";
}

LocalityModel fit_locality(const Profile& profile, const std::string& where) {
  std::array<std::optional<LevelLink>, 3> measured;
  bool any = false;
  for (const Level level : all_levels) {
    auto& here = measured[static_cast<std::size_t>(level)];
    here = fit_level(profile, level);
    any = any || here.has_value();
  }
  if (!any) {
    throw data_error(
        profile.transfers.empty() ? "has no transfers between GPUs" : "has no level with transfers of two sizes", where,
        "`palstudy measure --kernel link --kernel allreduce` with two ranks or more measures them");
  }
  LocalityModel model;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i]) {
      model.levels[i] = *measured[i];
      continue;
    }
    const Level other = stand_in(measured, i);
    model.levels[i] = *measured[static_cast<std::size_t>(other)];
    model.levels[i].points = 0;
    model.notes.push_back(few_links({{"level", level_name(all_levels[i])}, {"stand_in", level_name(other)}}, where));
  }
  return model;
}

LocalityPenalty measured_penalty(const LocalityModel& links, const ModelStep& model, std::uint32_t gpus,
                                 double overlap) {
  if (gpus < 2 || !(model.gradient_bytes > 0)) return {1, 1, 1};
  const auto step_s = [&](Level level) {
    return model.iteration_s + (1 - overlap) * allreduce_s(links.at(level), model.gradient_bytes, gpus);
  };
  const double node_s = step_s(Level::node);
  return {1, step_s(Level::cabinet) / node_s, step_s(Level::cluster) / node_s};
}

}  // namespace palstudy
