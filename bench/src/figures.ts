import type { Comparison } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import type { Figures } from './report.ts';

/** What one run of a candidate amounts to. */
export interface Work {
  readonly amount: number;
  /** Of the amount per second of CPU time. */
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

/** Three digits are more than any of it is worth. */
export function short(value: number): string {
  for (const [size, suffix] of [
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= 10 * size) return `${Math.round(value / size)}${suffix}`;
  }
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
}
