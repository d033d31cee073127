# SPDX-License-Identifier: MIT
"""From events to the bars of a Gantt chart: who held which GPUs, from when to when."""
import numpy as np
import pandas as pd


def segments(events, gpu):
    """(job, GPU, from_s, to_s): each stay of a job on a GPU. `events` has time_s, kind, job, gpu_begin, gpu_count; `gpu` are the
    GPUs that gpu_begin counts in. A launch names the whole set, also of a job that runs on; GPUs in both sets are one stay.
    """
    held, rows = {}, []  # job -> {gpu: since}

    def leave(job, gpus, now):
        since = held[job]
        rows.extend((job, one, since.pop(one), now) for one in sorted(gpus))

    for event in events.itertuples(index=False):
        mine = held.setdefault(event.job, {})
        if event.kind == "launch":
            new = set(gpu[event.gpu_begin : event.gpu_begin + event.gpu_count].tolist())
            leave(event.job, set(mine) - new, event.time_s)
            for one in new - set(mine):
                mine[one] = event.time_s
        else:
            leave(event.job, set(mine), event.time_s)
    end = float(events["time_s"].iloc[-1]) if len(events) else 0.0
    for job in list(held):
        leave(job, set(held[job]), end)
    return pd.DataFrame(rows, columns=["job", "gpu", "from_s", "to_s"])


def bars(stays):
    """(job, first GPU, GPUs, from_s, to_s): neighbouring GPUs with the same stay as one bar."""
    stays = stays[stays["to_s"] > stays["from_s"]].sort_values(["job", "from_s", "to_s", "gpu"]).reset_index(drop=True)
    if stays.empty:
        return pd.DataFrame(columns=["job", "gpu", "gpus", "from_s", "to_s"])
    same = (stays[["job", "from_s", "to_s"]].eq(stays[["job", "from_s", "to_s"]].shift())).all(axis=1)
    new = ~(same & (stays["gpu"].diff() == 1))
    groups = stays.groupby(np.cumsum(new))
    table = groups[["job", "gpu", "from_s", "to_s"]].first()
    table.insert(2, "gpus", groups.size())
    return table.sort_values(["from_s", "gpu"]).reset_index(drop=True)
