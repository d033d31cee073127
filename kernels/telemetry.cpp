// SPDX-License-Identifier: MIT
#include "kernels/telemetry.hpp"

#include <chrono>

namespace palstudy {

std::uint64_t now_ns() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

TelemetrySample NoTelemetry::sample() {
  TelemetrySample sample;
  sample.t_ns = now_ns();
  return sample;
}

TelemetryThread::TelemetryThread(TelemetrySource& source, double hz)
    : source_(source), samples_{source.sample()}, thread_([this, hz] { run(hz); }) {}

TelemetryThread::~TelemetryThread() {
  if (thread_.joinable()) (void)stop();
}

std::vector<TelemetrySample> TelemetryThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  samples_.push_back(source_.sample());
  return std::move(samples_);
}

void TelemetryThread::run(double hz) {
  const std::chrono::duration<double> interval(1 / hz);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return stopping_; })) samples_.push_back(source_.sample());
}

}  // namespace palstudy
