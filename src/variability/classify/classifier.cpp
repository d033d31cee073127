// SPDX-License-Identifier: MIT
#include "variability/classify/classifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

const NoteKind left_kernel("left-kernel", Severity::info), few_kernels("few-kernels", Severity::care),
    unsure_class("unsure-class", Severity::care);

constexpr double same_distance = 1e-9;  // rounding must not choose between two kernels of a class
constexpr double nearly_as_near = 0.8;  // of the distance to the next centroid

Point2 point_of(const KernelUse& use) { return {use.u_dram, use.u_fu}; }
double compute_less_memory(const Point2& use) { return use.y - use.x; }

Point2 scaled(const Classification& of, const Point2& use) {
  return {(use.x - of.mean.x) / of.scale.x, (use.y - of.mean.y) / of.scale.y};
}

/// Mean and standard deviation of a coordinate; the deviation is 1 where all are equal, so that the coordinate does not
/// separate.
void scale_axis(const std::vector<double>& values, double& mean, double& deviation) {
  mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  deviation = std::sqrt(squares / static_cast<double>(values.size()));
  if (!(deviation > 0)) deviation = 1;
}

/// Why a kernel is not clustered; none if it is.
std::optional<Note> why_not(const KernelUse& use, const ClassifierOptions& options) {
  const auto note = [&](const char* why) { return left_kernel({{"why", why}}, use.label); };
  const auto& out = options.leave_out;
  if (std::ranges::find(out, use.label) != out.end()) return note("asked");
  if (use.no_application && !options.with_ceilings) return note("no-application");
  if (std::isnan(use.u_dram) || std::isnan(use.u_fu)) {
    return left_kernel({{"why", "unknown-use"}, {"missing", use.missing}}, use.label);
  }
  if (use.gpus == 0) return note("no-times");
  if (!use.too_little) return std::nullopt;
  const auto& [gpus, sessions] = *use.too_little;
  return left_kernel({{"why", "too-little"}, {"gpus", gpus}, {"sessions", sessions}}, use.label);
}

std::vector<std::size_t> clustered(Classification& of, const ClassifierOptions& options) {
  std::vector<std::size_t> places;
  std::vector<std::string> names;
  for (const KernelUse& use : of.uses) names.push_back(use.label);
  for (const std::string& label : options.leave_out) {
    if (std::ranges::find(names, label) != names.end()) continue;
    throw usage_error(fmt::format("no kernel \"{}\"{}", label, suggestion(label, names)), "--leave-out",
                      "the profile has " + join(names));
  }
  for (std::size_t i = 0; i < of.uses.size(); ++i) {
    if (auto reason = why_not(of.uses[i], options)) {
      of.notes.push_back(std::move(*reason));
    } else {
      places.push_back(i);
    }
  }
  return places;
}

/// The partition with the greatest silhouette of all K; writes down what each had.
Labels2d choose(const std::vector<Point2>& points, std::size_t asked, Classification& to) {
  const std::size_t n = points.size();
  Labels2d best(n);
  std::iota(best.begin(), best.end(), std::size_t{0});
  if (asked != 0) return kmeans_2d(points, asked);
  if (n <= 3) to.notes.push_back(few_kernels({{"kernels", n}}));
  if (n < 3) return best;
  double greatest = -infinity;
  for (std::size_t k = 2; k <= std::min(most_classes, n - 1); ++k) {
    Labels2d labels = kmeans_2d(points, k);
    to.tried.push_back({k, silhouette_2d(points, labels)});
    if (to.tried.back().silhouette <= greatest) continue;
    greatest = to.tried.back().silhouette;
    best = std::move(labels);
  }
  return best;
}

KernelClass make_class(const Classification& of, std::vector<std::size_t> members) {
  KernelClass made;
  std::vector<Point2> points;
  std::vector<double> spreads;
  for (const std::size_t i : members) {
    points.push_back(point_of(of.uses[i]));
    spreads.push_back(of.uses[i].spread);
  }
  made.centroid = centroids_2d(points, Labels2d(points.size(), 0)).front();
  made.spread = median(spreads);
  const Point2 center = scaled(of, made.centroid);
  double least = infinity;
  for (const std::size_t i : members) {
    const double away = distance(scaled(of, point_of(of.uses[i])), center);
    if (away >= least * (1 - same_distance)) continue;
    least = away;
    made.representative = i;
  }
  made.members = std::move(members);
  return made;
}

void name_classes(const std::vector<std::size_t>& places, const Labels2d& labels, Classification& to) {
  std::vector<std::vector<std::size_t>> members(*std::ranges::max_element(labels) + 1);
  for (std::size_t i = 0; i < places.size(); ++i) members[labels[i]].push_back(places[i]);
  for (auto& group : members) to.classes.push_back(make_class(to, std::move(group)));
  std::ranges::sort(to.classes, [](const KernelClass& a, const KernelClass& b) {
    const double x = compute_less_memory(a.centroid), y = compute_less_memory(b.centroid);
    return x != y ? x > y : a.members.front() < b.members.front();
  });
  to.class_of.assign(to.uses.size(), "");
  for (std::size_t c = 0; c < to.classes.size(); ++c) {
    to.classes[c].name = std::string(1, static_cast<char>('A' + static_cast<int>(c)));
    for (const std::size_t i : to.classes[c].members) to.class_of[i] = to.classes[c].name;
  }
}

SpreadOrder spread_order(const Classification& of, const std::vector<std::size_t>& places) {
  SpreadOrder order;
  for (std::size_t a = 0; a < of.classes.size(); ++a) {
    for (std::size_t b = a + 1; b < of.classes.size(); ++b) {
      ++order.pairs;
      order.agreeing += of.classes[a].spread > of.classes[b].spread ? 1 : 0;
    }
  }
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      const KernelUse &x = of.uses[places[a]], &y = of.uses[places[b]];
      const double sign = (compute_less_memory(point_of(x)) - compute_less_memory(point_of(y))) * (x.spread - y.spread);
      sum += sign > 0 ? 1 : sign < 0 ? -1 : 0;
      pairs += 1;
    }
  }
  order.tau = sum / pairs;
  return order;
}

/// Kernels whose bytes are known between bounds only: whether the other bound would put them elsewhere.
void note_interval(Classification& of, const std::vector<std::size_t>& places) {
  for (const std::size_t i : places) {
    const KernelUse& use = of.uses[i];
    if (!(use.u_dram_most > use.u_dram)) continue;
    const double most = std::max(use.u_dram, std::min(use.u_dram_most, 1.0));  // no more can be moved
    const std::string other = assign(of, use.label, {most, use.u_fu}).cls;
    if (other == of.class_of[i]) continue;
    of.notes.push_back(unsure_class({{"why", "cache-misses"}, {"other", other}, {"u_dram", most}}, use.label));
  }
}

}  // namespace

void require_classifiable(const Profile& profile, const std::string& where) {
  std::set<std::int32_t> gpus, sessions;
  for (const ProfileRepeat& repeat : profile.repeats) {
    gpus.insert(repeat.gpu);
    sessions.insert(repeat.session);
  }
  if (gpus.size() < least_profile_gpus) {
    throw data_error(fmt::format("has times of {}, and {} are needed: fewer do not show how far GPUs differ",
                                 counted(gpus.size(), "GPU"), least_profile_gpus),
                     where, "measure more GPUs and join the profiles with `palstudy profile merge`");
  }
  if (profile.origin != "imported" && sessions.size() < least_profile_sessions) {
    throw data_error(fmt::format("has {} session, and {} are needed: one does not show what repeats", sessions.size(),
                                 least_profile_sessions),
                     where, "measure again and join the profiles with `palstudy profile merge`");
  }
}

Classification classify(std::vector<KernelUse> uses, const ClassifierOptions& options, const std::string& where) {
  std::ranges::sort(uses, [](const auto& a, const auto& b) { return a.label < b.label; });
  Classification to;
  to.uses = std::move(uses);
  const auto places = clustered(to, options);
  if (places.empty()) {
    std::vector<std::string> left;
    for (const Note& note : to.notes) left.push_back(note.subject + " (" + note["why"].name() + ")");
    throw data_error("has no kernel to classify", where,
                     left.empty() ? "measure some with `palstudy measure`" : "it has " + join(left));
  }
  if (options.classes > places.size()) {
    throw usage_error(fmt::format("{} classes of {} kernels", options.classes, places.size()), "--classes",
                      fmt::format("use {} at most", places.size()));
  }
  std::vector<double> x, y;
  for (const std::size_t i : places) {
    x.push_back(to.uses[i].u_dram);
    y.push_back(to.uses[i].u_fu);
  }
  scale_axis(x, to.mean.x, to.scale.x);
  scale_axis(y, to.mean.y, to.scale.y);
  std::vector<Point2> points;
  for (const std::size_t i : places) points.push_back(scaled(to, point_of(to.uses[i])));
  name_classes(places, choose(points, options.classes, to), to);
  to.order = spread_order(to, places);
  note_interval(to, places);
  for (const KernelUse& use : to.uses) to.notes.insert(to.notes.end(), use.notes.begin(), use.notes.end());
  return to;
}

Assigned assign(const Classification& to, const std::string& of, const Point2& use) {
  if (std::isnan(use.x) || std::isnan(use.y)) {
    return {"", nan, "", nan, unsure_class({{"why", "unknown-use"}}, of)};
  }
  const auto away = [&](const KernelClass& cls) { return distance(scaled(to, cls.centroid), scaled(to, use)); };
  Assigned found{.cls = "", .distance = infinity, .next = "", .next_distance = infinity, .unsure = {}};
  double widest = 0, closest = infinity;
  for (const KernelClass& cls : to.classes) {
    const double here = away(cls);
    if (here < found.distance) {
      found.next = found.cls;
      found.next_distance = found.distance;
      found.cls = cls.name;
      found.distance = here;
    } else if (here < found.next_distance) {
      found.next = cls.name;
      found.next_distance = here;
    }
    for (const std::size_t i : cls.members) {
      widest = std::max(widest, distance(scaled(to, cls.centroid), scaled(to, point_of(to.uses[i]))));
    }
    for (const KernelClass& other : to.classes) {
      if (other.name < cls.name) {
        closest = std::min(closest, distance(scaled(to, cls.centroid), scaled(to, other.centroid)));
      }
    }
  }
  const double usual = std::max(widest, to.classes.size() > 1 ? closest / 2 : 1.0);
  if (found.distance > usual) {
    found.unsure = unsure_class({{"why", "far"}, {"class", found.cls}, {"distance", found.distance}}, of);
  } else if (found.distance > nearly_as_near * found.next_distance) {
    found.unsure = unsure_class({{"why", "between"}, {"other", found.next}}, of);
  }
  return found;
}

}  // namespace palstudy
