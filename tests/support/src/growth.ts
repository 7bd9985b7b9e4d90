const FACTOR = 8;
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 10;

/**
 * Measures how much more CPU time a unit of work takes if there are eight times as many units: 1 for a linear cost, 8 for a quadratic cost.
 * Compares `work(8 * n)` with eight runs of `work(n)`, so that both sides do the same number of units and need about as much memory. Takes the
 * least of three runs, because other programs on the machine only add time, and of up to ten while the growth is above `MOST_GROWTH`.
 * A run below 0.02 s says too little: make `n` larger.
 */
export function growth(n: number, work: (n: number) => () => void): number {
  const few: number[] = [];
  const many: number[] = [];
  const ratio = () => Math.min(...many) / Math.min(...few);
  while (many.length < LEAST_ROUNDS || (many.length < MOST_ROUNDS && ratio() >= MOST_GROWTH)) {
    const small = Array.from({ length: FACTOR }, () => work(n));
    few.push(
      cpuOf(() => {
        for (const run of small) run();
      }),
    );
    many.push(cpuOf(work(FACTOR * n)));
  }
  return ratio();
}

/** The CPU time of one run in microseconds, the least of three. */
export function leastCpuOf(run: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuOf(run)));
}

/** The limit of `growth` for a linear cost: between 1 and 8, with room for caches and garbage collections. */
export const MOST_GROWTH = 4;

function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
