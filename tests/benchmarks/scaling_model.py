#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The model of docs/evidence/scaling.md as a table: time per boundary against the ranks of a team.

    scaling_model.py --work-us 1330 --arrivals 3400 --route-us 0.003 --partitions 64

Strong scaling: the same machine on more ranks. Weak scaling (--weak): as many partitions as ranks, arrivals in proportion.
"""
import argparse
import math


def boundary_us(ranks, partitions, args, arrivals):
    each = math.ceil(partitions / ranks)
    spread = 1 + args.spread / math.sqrt(each) if ranks > 1 else 1.0
    work = each * args.work_us * spread
    routing = arrivals * args.route_us * partitions / 64
    gather = (
        args.latency_us * math.log2(ranks) + args.bytes * partitions / (args.gbytes_per_s * 1e3) if ranks > 1 else 0.0
    )
    return work, routing, gather


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work-us", type=float, required=True, help="work of one partition at a boundary")
    parser.add_argument("--arrivals", type=float, required=True, help="jobs that arrive at a boundary")
    parser.add_argument("--route-us", type=float, required=True, help="time to route one job among 64 partitions")
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--bytes", type=float, default=120, help="of a partition's summary")
    parser.add_argument("--latency-us", type=float, default=2)
    parser.add_argument("--gbytes-per-s", type=float, default=10)
    parser.add_argument(
        "--spread", type=float, default=0.5, help="how much longer the slowest of single partitions takes"
    )
    parser.add_argument("--weak", action="store_true")
    args = parser.parse_args()
    alone = sum(boundary_us(1, args.partitions, args, args.arrivals))
    print("| ranks | partitions | work, us | routing, us | gather, us | boundary, us | speed-up | efficiency |")
    print("|---|---|---|---|---|---|---|---|")
    for ranks in (1, 2, 4, 8, 16, 32, 64, 128, 1000, 10000):
        partitions = ranks if args.weak else args.partitions
        scale = partitions / args.partitions
        work, routing, gather = boundary_us(ranks, partitions, args, args.arrivals * scale)
        total = work + routing + gather
        speed_up = alone * scale / total
        print(
            f"| {ranks:,} | {partitions:,} | ~{work:,.0f} | ~{routing:,.1f} | ~{gather:,.1f} | ~{total:,.0f} "
            f"| ~{speed_up:,.1f} | ~{speed_up / ranks:.0%} |"
        )


if __name__ == "__main__":
    main()
