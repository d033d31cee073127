// SPDX-License-Identifier: MIT
#include "topology/gpu_set.hpp"

namespace palstudy {

void GpuSet::resize(std::size_t size) {
  const auto wanted = static_cast<std::uint32_t>(size);
  if (wanted > room_ && wanted > near_size) {
    const std::uint32_t room = std::max(wanted, 2 * room_);
    auto far = std::make_unique<NodeGpus[]>(room);
    std::copy(begin(), end(), far.get());
    far_ = std::move(far);
    room_ = room;
  } else if (wanted > near_size && size_ <= near_size) {
    std::copy_n(near_.begin(), size_, far_.get());
  } else if (wanted <= near_size && size_ > near_size) {
    std::copy_n(far_.get(), wanted, near_.begin());
  }
  const std::uint32_t before = std::exchange(size_, wanted);
  if (wanted > before) std::fill(begin() + before, end(), NodeGpus{});
}

void canonicalize(GpuSet& gpus) {
  if (gpus.size() == 1 && gpus.front().mask != 0) return;
  std::sort(gpus.begin(), gpus.end(), [](const NodeGpus& a, const NodeGpus& b) { return a.node < b.node; });
  std::size_t kept = 0;
  for (const NodeGpus& part : gpus) {
    if (part.mask == 0) continue;
    if (kept > 0 && gpus[kept - 1].node == part.node) {
      gpus[kept - 1].mask |= part.mask;
    } else {
      gpus[kept++] = part;
    }
  }
  gpus.resize(kept);
}

}  // namespace palstudy
