// SPDX-License-Identifier: MIT
#include "workload/elastic/elastic_jobs.hpp"

#include "workload/elastic/noise_scale.hpp"
#include "workload/elastic/step_time.hpp"

namespace palstudy {

Batch batch_there(const ElasticJobs& jobs, JobId job, const ElasticPlace& place, std::uint32_t samples) {
  const ElasticModel& model = jobs.model(job);
  const TypeTime& type = model.types[place.type];
  if (samples == 0 && jobs.elasticity == Elasticity::counts_and_batch) {
    return tuned(model.limits, type, place.shape, model.noise_in(place.epoch), place.slow).batch;
  }
  return batch_of(model.limits, type.max_local, place.shape.gpus, samples > 0 ? samples : jobs.batch[job.index()]);
}

double seconds_per_iteration(const ElasticJobs& jobs, JobId job, const ElasticPlace& place, const Batch& batch) {
  const ElasticModel& model = jobs.model(job);
  const double noise = model.noise_in(place.epoch);
  return iteration_s(model.types[place.type].step, place.shape, batch, place.slow) /
         gain(noise, model.limits.initial, batch.samples(place.shape.gpus));
}

}  // namespace palstudy
