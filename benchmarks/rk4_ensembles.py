"""RK4 steps of a 7-joint chain, many runs at once, next to MuJoCo's rollout on all cores."""

import os

import numpy as np
from _cases import best, in_mjcf, in_vinculum, over, peer, random_tree, report, sized

import vinculum as vc

mujoco, rollout = peer("mujoco"), peer("mujoco.rollout")
STEP, STEPS, RUNS = 1e-3, sized(200, 3), sized(2048, 16)


def main() -> None:
    joints = sized(7, 2)
    links = random_tree(joints, chain=True)
    rng = np.random.default_rng(2)
    q, v = 0.5 * rng.normal(size=(2, RUNS, joints))
    system = in_vinculum(links)
    until = STEP * STEPS

    def ours(runs):
        return vc.ensemble(system, until, (q[:runs], v[:runs]), method="rk4", step=STEP)

    ours(16)
    final = ours(RUNS)
    vinculum_rate = RUNS * STEPS / best(lambda: ours(RUNS), 5)
    mujoco_rate, error = of_mujoco(links, q, v, final) if mujoco else (None, None)
    report("rk4_ensembles", [{"chain": f"{joints} joints", "vinculum steps/s": vinculum_rate, "mujoco steps/s": mujoco_rate,
                              "ratio": over(vinculum_rate, mujoco_rate) if mujoco else None, "target": 40.0,
                              "difference": error}])  # fmt: skip


def of_mujoco(links, q, v, final) -> tuple[float, float]:
    """Steps in a second, and how far the angles at the end are from ours."""
    model = mujoco.MjModel.from_xml_string(in_mjcf(links, STEP))
    threads = os.cpu_count() or 1
    start = np.hstack([np.zeros((RUNS, 1)), q, v])
    datas = [mujoco.MjData(model) for _ in range(threads)]
    count = RUNS // 8
    with rollout.Rollout(nthread=threads) as pool:

        def theirs():
            return pool.rollout(model, datas, start[:count], nstep=STEPS)

        states, _ = theirs()
        mujoco_rate = count * STEPS / best(theirs, 5)
    return mujoco_rate, float(np.abs(states[:, -1, 1:8] - final.q[:count, -1]).max())


if __name__ == "__main__":
    main()
