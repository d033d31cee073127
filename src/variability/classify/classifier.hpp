// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/classify/kmeans_2d.hpp"
#include "variability/classify/utilization.hpp"

namespace palstudy {

/// K beyond this is not tried.
inline constexpr std::size_t most_classes = 6;

/// Errors (data, at `where`): times of under `least_profile_gpus` GPUs or `least_profile_sessions` sessions, with why
/// that is too few. What was imported names no sessions.
void require_classifiable(const Profile& profile, const std::string& where);

/// A class: kernels that use a GPU alike.
struct KernelClass {
  std::string name;                  ///< "A" is the most bound by computing
  std::vector<std::size_t> members;  ///< places in Classification::uses
  std::size_t representative = 0;    ///< the member nearest to the centroid; ties: by label
  Point2 centroid;                   ///< (u_dram, u_fu)
  double spread = 0;                 ///< median of its members' spread between GPUs
};

/// One K that was tried.
struct TriedK {
  std::size_t k;
  double silhouette;
};

/// Whether classes that compute more vary more, as PAL takes them to (SC'24, section III): pairs of classes, and
/// Kendall's tau-a between u_fu - u_dram and the spread of the clustered kernels.
struct SpreadOrder {
  std::size_t agreeing = 0, pairs = 0;
  double tau = 0;  ///< NaN of fewer than two kernels
};

/// The options of `classify`.
struct ClassifierOptions {
  std::size_t classes = 0;             ///< 0: by the silhouette
  bool with_ceilings = false;          ///< cluster also what stands for no application
  std::vector<std::string> leave_out;  ///< labels
};

/// Kernels put into classes.
struct Classification {
  std::vector<KernelUse> uses;        ///< all, by label
  std::vector<std::string> class_of;  ///< by use; "" for one that was not clustered
  std::vector<TriedK> tried;          ///< ascending; none where there was no choice
  std::vector<KernelClass> classes;   ///< from compute to memory
  SpreadOrder order;
  std::vector<Note> notes;  ///< "left-kernel", "few-kernels", "unsure-class", and those of `uses`
  Point2 mean, scale;       ///< z = (u - mean) / scale
};

/// K-means on (u_dram, u_fu), each scaled to unit deviation; K from 2 to min(6, n - 1) by the greatest mean silhouette
/// over all of them, the smallest K of equals; classes in the order of u_fu - u_dram of their centroids. The order of
/// `uses` does not matter. What has no share on one of the axes is not clustered. Of fewer than three kernels each is a
/// class. Errors (data, at `where`): nothing to cluster; (usage) a label in `leave_out` that is not there, more classes
/// than kernels.
[[nodiscard]] Classification classify(std::vector<KernelUse> uses, const ClassifierOptions& options,
                                      const std::string& where);

/// Where an application of known use belongs.
struct Assigned {
  std::string cls;
  double distance = 0;         ///< to the centroid of the class, in units of the scaled axes
  std::string next;            ///< the class whose centroid is next, "" if there is one class
  double next_distance = 0;    ///< infinite if there is none
  std::optional<Note> unsure;  ///< "unsure-class": why it may belong to none
};
/// The class of the nearest centroid (ties: the first class) of what uses a GPU like that, by the name `of`. Unsure:
/// farther away than any clustered kernel is from its centroid and than half the least distance between centroids; or
/// nearly as near to the next class; or one of its shares is not known, so that it has no class.
[[nodiscard]] Assigned assign(const Classification& to, const std::string& of, const Point2& use);

}  // namespace palstudy
