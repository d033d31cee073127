// SPDX-License-Identifier: MIT
#include "sim/output/merge_rows.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace palstudy {
namespace {

/// An event's place: in which list, and where in it.
struct Place {
  double time_s;
  EventKind kind;
  JobId job;
  std::uint32_t list;
  std::uint64_t row;
  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.time_s, a.kind, a.job, a.list) < std::tie(b.time_s, b.kind, b.job, b.list);
  }
};

void append_gpus(EventRows& out, const EventRows& from, std::uint64_t row) {
  const auto first = from.gpus.begin() + static_cast<std::ptrdiff_t>(from.gpu_begin[row]);
  out.gpus.insert(out.gpus.end(), first, first + from.gpu_count[row]);
}

/// Failures are recorded at the next boundary, so that they may stand behind stops of other jobs.
bool in_order(const EventRows& events) {
  for (std::uint64_t i = 1; i < events.size(); ++i) {
    const Place before{events.time_s[i - 1], events.kind[i - 1], events.job[i - 1], 0, i - 1};
    if (Place{events.time_s[i], events.kind[i], events.job[i], 0, i} < before) return false;
  }
  return true;
}

}  // namespace

DelayRows merged(const std::vector<DelayRows>& parts) {
  DelayRows all;
  for (const DelayRows& part : parts) all.resize(std::max(all.size(), part.size()));
  for (const DelayRows& part : parts) all.add(part);
  return all;
}

PowerRows merged(const std::vector<PowerRows>& parts) {
  PowerRows all;
  for (const PowerRows& part : parts) {
    if (part.size() > 0) all.add(part);
  }
  return all;
}

EventRows merged(std::vector<EventRows> lists) {
  if (lists.size() == 1 && in_order(lists.front())) return std::move(lists.front());
  std::vector<Place> places;
  for (std::uint32_t list = 0; list < lists.size(); ++list) {
    const EventRows& events = lists[list];
    for (std::uint64_t i = 0; i < events.size(); ++i) {
      places.push_back({events.time_s[i], events.kind[i], events.job[i], list, i});
    }
  }
  std::sort(places.begin(), places.end());
  EventRows out;
  for (const Place& place : places) {
    const bool part = out.size() > 0 && out.kind.back() == EventKind::launch && place.kind == EventKind::launch &&
                      out.job.back() == place.job && out.time_s.back() == place.time_s;
    if (!part) {
      out.time_s.push_back(place.time_s);
      out.kind.push_back(place.kind);
      out.job.push_back(place.job);
      out.gpu_begin.push_back(out.gpus.size());
      out.gpu_count.push_back(0);
    }
    append_gpus(out, lists[place.list], place.row);
    out.gpu_count.back() = static_cast<std::uint32_t>(out.gpus.size() - out.gpu_begin.back());
  }
  return out;
}

RoundRows merged(const std::vector<RoundRows>& lists) {
  if (lists.size() == 1) return lists.front();
  RoundRows out;
  std::vector<std::size_t> next(lists.size(), 0);
  for (;;) {
    double time_s = std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < lists.size(); ++l) {
      if (next[l] < lists[l].size()) time_s = std::min(time_s, lists[l].time_s[next[l]]);
    }
    if (time_s == std::numeric_limits<double>::infinity()) return out;
    std::uint32_t queued = 0, running = 0, free_gpus = 0;
    std::uint64_t demand_gpus = 0;
    for (std::size_t l = 0; l < lists.size(); ++l) {
      if (next[l] < lists[l].size() && lists[l].time_s[next[l]] == time_s) ++next[l];
      if (next[l] == 0) continue;
      const std::size_t now = next[l] - 1;
      queued += lists[l].queued[now];
      running += lists[l].running[now];
      free_gpus += lists[l].free_gpus[now];
      demand_gpus += lists[l].demand_gpus[now];
    }
    out.add(time_s, queued, running, free_gpus, demand_gpus);
  }
}

}  // namespace palstudy
