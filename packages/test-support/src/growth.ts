/**
 * How much more CPU eight times as much takes: 8 where the cost is in proportion, 64 where it grows with the square. The least of
 * three runs each, as what else runs on the machine only adds. Below 0.02 s a run says too little: make `n` larger.
 */
export function growth(n: number, work: (n: number) => () => void): number {
  const least = (size: number) => Math.min(...[1, 2, 3].map(() => cpuOf(work(size))));
  return least(8 * n) / least(n);
}

/** The CPU of one run in microseconds, the least of three. */
export function leastCpuOf(run: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuOf(run)));
}

/** Between 8 and 64, with room for caches and collections. */
export const MOST_GROWTH = 40;

function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
