# SPDX-License-Identifier: MIT
# palstudy_replay(<name> <family> <folder below runs/> [<file to change>...])
function(palstudy_replay name family folder)
  add_test(NAME golden.replay.${name}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/replay_world/replay_test.sh $<TARGET_FILE:replay> ${family} ${CMAKE_CURRENT_SOURCE_DIR}/runs/${folder} ${ARGN})
  set_tests_properties(golden.replay.${name} PROPERTIES LABELS golden TIMEOUT 300)
endfunction()
palstudy_replay(helios-ces-philly helios helios/ces_philly_dec expected.csv)
palstudy_replay(helios-ces-synth helios helios/ces_synth_earth expected.csv)
