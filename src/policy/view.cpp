// SPDX-License-Identifier: MIT
#include "policy/view.hpp"

#include <cmath>

namespace palstudy {

ExpectedSlowdowns::ExpectedSlowdowns(const Bins& bins) {
  for (std::size_t c = 0; c < bins.classes(); ++c) {
    const ClassBins& of_class = bins.of(ClassId(c));
    std::vector<std::uint32_t> gpus(of_class.values.size(), 0);
    for (const std::uint16_t bin : of_class.of_gpu) ++gpus[bin];
    std::vector<Bin>& shares = bins_.emplace_back();
    std::uint32_t up_to = 0;
    for (std::size_t b = 0; b < gpus.size(); ++b) {
      up_to += gpus[b];
      shares.push_back({of_class.values[b], static_cast<double>(up_to) / static_cast<double>(of_class.of_gpu.size())});
    }
  }
}

double ExpectedSlowdowns::slowest(ClassId cls, std::uint32_t gpus) const {
  double mean = 0, before = 0;
  for (const Bin& bin : bins_[cls.index()]) {
    const double none_slower = std::pow(bin.share_up_to, gpus);
    mean += bin.value * (none_slower - before);
    before = none_slower;
  }
  return mean;
}

}  // namespace palstudy
