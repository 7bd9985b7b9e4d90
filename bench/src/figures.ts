import type { Comparison } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import type { Figures } from './report.ts';

/** The amount of work in one run of a candidate. */
export interface Work {
  readonly amount: number;
  /** The unit of the amount per second of CPU time. */
  readonly unit: string;
}

/** The limit, ours and the best of the peers, as a table shows them. */
export function figuresOf<Name extends string>(
  result: Comparison<Name>,
  { amount, unit }: Work,
  { limit, ours, peers = [] }: { readonly limit?: Name; readonly ours: Name; readonly peers?: readonly Name[] },
): Figures {
  const rate = (name: Name) => `${short(result.of(name).rate * amount)} ${unit}`;
  const [best] = [...peers].sort((a, b) => result.of(b).rate - result.of(a).rate);
  return {
    ours: rate(ours),
    ...(limit !== undefined && { limit: rate(limit) }),
    ...(best !== undefined && { peer: `${versionOf(best)} ${rate(best)}`, toPeer: result.between(ours, best) }),
  };
}

/** Formats a figure with three digits; the measurements are not more precise. */
export function short(value: number): string {
  for (const [size, suffix] of [
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= 10 * size) return `${Math.round(value / size)}${suffix}`;
  }
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
}
