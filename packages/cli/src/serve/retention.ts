import { parseDuration } from '../run/duration.ts';

/** How long and how much is kept of each session; absent is the default of the log. */
export interface Retained {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** `7d/1GiB`, or one of the two; undefined where it is neither. */
export function parseRetention(text: string): Retained | undefined {
  const retained: { maxAgeMs?: number; maxBytes?: number } = {};
  for (const part of text.split('/')) {
    const age = parseDuration(part);
    const bytes = parseSize(part);
    if (age !== undefined && retained.maxAgeMs === undefined) retained.maxAgeMs = age;
    else if (bytes !== undefined && retained.maxBytes === undefined) retained.maxBytes = bytes;
    else return undefined;
  }
  return retained;
}

/** A size with its unit, such as `64MiB`, in bytes; undefined where it is none. */
function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return amount === undefined || factor === undefined ? undefined : Math.round(Number(amount) * factor);
}
