# SPDX-License-Identifier: MIT
# palstudy_replay(<name> <family> <folder below runs/> [<file to change>...])
function(palstudy_replay name family folder)
  add_test(NAME golden.replay.${name}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/replay_world/replay_test.sh $<TARGET_FILE:replay> ${family} ${CMAKE_CURRENT_SOURCE_DIR}/runs/${folder} ${ARGN})
  set_tests_properties(golden.replay.${name} PROPERTIES LABELS golden TIMEOUT 300)
endfunction()

palstudy_replay(helios helios helios
                qssf_synth/fifo.csv qssf_synth/sjf.csv qssf_synth/srtf.csv qssf_synth/qssf.csv predictor/qssf_naive.csv
                predictor/qssf_combined.csv predictor/static_predictions.csv)
palstudy_replay(backfill backfill backfill bg1_exact/expected.csv bg2_uniform/expected.csv bg3_classes/expected.csv)
palstudy_replay(helios-ces-philly helios helios/ces_philly_dec expected.csv)
palstudy_replay(helios-ces-synth helios helios/ces_synth_earth expected.csv)
palstudy_replay(tiresias tiresias tiresias g3_synth/fifo.csv g3_synth/srtf-gpu.csv g3_synth/las2d-promote2-k3-exact.csv)
palstudy_replay(themis-reference themis-reference themis-reference g3_synth/expected.csv)
palstudy_replay(gavel-lp gavel-lp gavel-lp "1/expected.csv=2s/1.055008/1.055011/" "8/expected.csv=3s/0.5/0.500001/" "5/per_job.csv=$s/1.2458/1.2459/")
palstudy_replay(gavel-sim gavel-sim gavel-sim gg3/max_min_fairness-highs/rounds.csv gg3/min_total_duration_perf-highs/jobs.csv gg4/max_min_fairness-highs/rounds.csv
                "gg3/max_sum_throughput_perf-highs/objectives.csv=2s/27970/27971/" "gg3/fifo_perf-highs/allocations.csv=2s/1.0/0.5/")
palstudy_replay(goodput goodput goodput "a.csv=2s/,60.19684/,60.19784/" "a.csv=3s/,128,0,671/,128,1,671/" "a.csv=4s/0.26968/0.26969/")
palstudy_replay(sia sia sia a/rounds.csv a/jobs_out.csv a/ilp.csv "a/ilp_optimum.csv=2s/,-10,/,-11,/" a-hetero/configs.csv a-rigid/rounds.csv
                "a/rounds.csv=50s/1939.10657/1939.10658/" "a-hetero/ilp.csv=4s/-53,-54/-53,-56/" "a-rigid/ilp.csv=8s/25.12949/25.12969/"
                "a/rounds.csv=/,1 1,/ s/,1 1,/,2 2,/")
palstudy_replay(pollux-artifact pollux-artifact pollux-artifact optimus-a/rounds.csv tiresias-a/jobs_out.csv pollux-a-1/rounds.csv
                "optimus-a/rounds.csv=4s/,4 1,3 3 3 3 0,/,4,3 3 3 3,/")
palstudy_replay(best-set best-set best-set "a-best.csv=2s/3285.6961/3285.6962/" "a-best.csv=2s/,2 3,/,0 2,/" "a-best.csv=2s/4:2653.373/4:2653.374/")
palstudy_replay(best-allocation best-allocation best-allocation "a-best.csv=2s/3.707592/3.707593/" "a-best.csv=3s/0 1 | 2 3/0 2 | 1 3/")
palstudy_replay(ones ones ones a-operators.csv a-jobs.csv "a-operators.csv=3s/3 - -/3 - 2/" "a-operators.csv=5s/| 5 -/| 5 4/" "a-operators.csv=6s/,1 - 3/,1 2 3/"
                "a-operators.csv=7s/0:2/0:3/" "a-operators.csv=8s/,2 4 5/,4 2 5/" "a-operators.csv=17s/163.1931/163.1932/")

# Within bounds: a real scheduler does not repeat itself.
add_test(NAME golden.replay.slurm
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/replay_world/replay_bounds_test.sh $<TARGET_FILE:replay> ${CMAKE_CURRENT_SOURCE_DIR}/runs/slurm)
set_tests_properties(golden.replay.slurm PROPERTIES LABELS golden TIMEOUT 300)
