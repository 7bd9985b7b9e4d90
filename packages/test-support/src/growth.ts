/**
 * Measures how much more CPU time eight times the work takes: 8 for a linear cost, 64 for a quadratic cost. Takes the least of three runs,
 * because other programs on the machine only add time. A run below 0.02 s says too little: make `n` larger.
 */
export function growth(n: number, work: (n: number) => () => void): number {
  const least = (size: number) => Math.min(...[1, 2, 3].map(() => cpuOf(work(size))));
  return least(8 * n) / least(n);
}

/** The CPU time of one run in microseconds, the least of three. */
export function leastCpuOf(run: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuOf(run)));
}

/** The limit of `growth` for a linear cost: between 8 and 64, with room for caches and garbage collections. */
export const MOST_GROWTH = 40;

function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
