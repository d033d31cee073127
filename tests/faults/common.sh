# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Sourced by the scripts beside it, after palstudy, mpiexec, numproc, faults (the library) and folder have been set.

fail() {
  echo "FAILED: $*"
  cat "${out:-$folder}"/err*.txt 2> /dev/null
  ls -la "${out:-$folder}" 2> /dev/null
  exit 1
}

# A study of RUNS runs of JOBS jobs each, whose trace and cluster lie beside it.
make_study() { # runs, jobs
  awk 'BEGIN { print "gpu_id,node_id,class,score"; for (g = 0; g < 16; ++g) 
    print g "," int(g / 4) ",A," 1 + g % 7 / 10 }' > "$folder/cluster.csv"
  awk -v jobs="$2" 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class"
    for (j = 0; j < jobs; ++j) print j "," 20 * j "," 1 + j % 8 "," 100 + 37 * j % 900 ",1,A" }' > "$folder/trace.csv"
  cat > "$folder/study.toml" << END_OF_STUDY
[cluster]
gpus = 16
table = "cluster.csv"
[workload]
reader = "native"
trace = "trace.csv"
[measure]
jobs = { first = 0, last = $(($2 - 1)) }
[output]
events = true
[policy]
placement = "random-nonsticky"
[axes]
seed = { first = 1, count = $1 }
END_OF_STUDY
  study=$folder/study.toml runs=$1
}

launch() { # number of ranks, then a command: mpirun, or none for one
  local ranks=$1
  shift
  if [[ $ranks == 1 ]]; then "$@"; else "$mpiexec" "$numproc" "$ranks" "$@" < /dev/null; fi
}

# The campaign with the library in front of it. Its words go to err.txt in $out, its calls to log there.
harmed() { # number of ranks, then settings of the library
  local ranks=$1
  shift
  : > "$out/log"
  launch "$ranks" env "$@" FAULT_PATH="$out/x.h5" FAULT_LOG="$out/log" LD_PRELOAD="$faults" "$palstudy" run "$study" \
    -o "$out/x.h5" "${further[@]}" > "$out/out.txt" 2> "$out/err.txt"
}
further=()  # options of the campaign

# How many runs were written to a shard whole.
ended() { grep -c '^[0-9]* write .*[.]shard$' "$out/log" || true; }

# Goes on with x.h5 in $out and holds it against the undisturbed archive. `ended`: how many runs were in the shards.
resumes() { # number of ranks, ended, "exactly" or "or-more" (where somebody may still have been at work)
  local rc=0 done_now
  launch "$1" "$palstudy" run "$study" -o "$out/x.h5" --resume "${further[@]}" > "$out/out.txt" \
    2> "$out/err-resume.txt" || rc=$?
  [[ $rc == 0 ]] || fail "exit code $rc of the resume"
  done_now=$(sed -n 's/.* \([0-9]*\) runs\{0,1\} in .*/\1/p' "$out/err-resume.txt")
  if [[ -z $done_now ]]; then
    grep -q "nothing was missing" "$out/err-resume.txt" || fail "no number of runs"
    done_now=0
  fi
  if [[ $3 == exactly ]]; then
    [[ $done_now == $((runs - $2)) ]] || fail "$done_now runs by the resume, after $2 of $runs had ended"
  else
    [[ $done_now -le $((runs - $2)) ]] || fail "$done_now runs by the resume, though $2 of $runs had ended"
  fi
  holds
}

# x.h5 in $out is the undisturbed archive, and nothing is beside it.
holds() {
  local left
  [[ $("$palstudy" digest "$out/x.h5") == "$want" ]] || fail "another digest"
  left=$(find "$out" -name 'x.h5*' ! -path "$out/x.h5")
  [[ -z $left ]] || fail "left over: $left"
}

undisturbed() {
  "$palstudy" run "$study" -o "$folder/whole.h5" 2> "$folder/err.txt" || fail "the undisturbed campaign"
  want=$("$palstudy" digest "$folder/whole.h5")
}
