// SPDX-License-Identifier: MIT
#include "measure/options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace palstudy {

Protocol changed_protocol(Backend backend, const ProtocolChanges& changes) {
  Protocol protocol = default_protocol(backend);
  const auto scale = [](double& value, double factor) { value *= factor; };
  if (changes.quick) {
    scale(protocol.batch_s, 0.2);
    for (double* value : {&protocol.window_s, &protocol.warm_up_least_s, &protocol.warm_up_most_s,
                          &protocol.repeat_least_s, &protocol.repeat_most_s}) {
      scale(*value, 0.1);
    }
  }
  if (changes.repeats) protocol.repeats = *changes.repeats;
  if (changes.batch_s) protocol.batch_s = *changes.batch_s;
  if (changes.warm_up_s) {
    const double shorter = *changes.warm_up_s / protocol.warm_up_most_s;
    scale(protocol.window_s, std::min(1.0, shorter));
    scale(protocol.warm_up_least_s, std::min(1.0, shorter));
    protocol.warm_up_most_s = *changes.warm_up_s;
  }
  if (changes.repeat_s) {
    protocol.repeat_least_s = *changes.repeat_s;
    protocol.repeat_most_s = 1.2 * *changes.repeat_s;
  }
  return protocol;
}

std::string protocol_text(const Protocol& protocol, Backend backend, double telemetry_hz) {
  return fmt::format(
      "clock = {}, repeats = {}, batch_s = {:.6g}, batches_least = {}, warm_up_s = {:.6g} to {:.6g}, "
      "window_s = {:.6g}, repeat_s = {:.6g} to {:.6g}, telemetry_hz = {:.6g}",
      backend == Backend::cuda ? "cuda-events" : "thread-cpu-time", protocol.repeats, protocol.batch_s,
      protocol.batches_least, protocol.warm_up_least_s, protocol.warm_up_most_s, protocol.window_s,
      protocol.repeat_least_s, protocol.repeat_most_s, telemetry_hz);
}

}  // namespace palstudy
