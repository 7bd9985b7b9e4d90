const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration with its unit, such as `500ms`, `15s`, `2m`, `1h` or `7d`, in milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (MS[unit] as number);
}

/**
 * Reads the duration of a flag, in milliseconds; undefined if the flag was not given.
 *
 * @throws Error for a text that is not a duration, and for 0.
 */
export function durationOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms === 0)
    throw new Error(`${flag} must be a duration above 0, such as 15s or 2m, not "${text}"`);
  return ms;
}

const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** Reads a size with its unit, such as `64MiB`, in bytes; undefined for any other text. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? [];
  const factor = BYTES[unit];
  return amount === undefined || factor === undefined ? undefined : Math.round(Number(amount) * factor);
}

/** The address at which a server listens. */
export interface ListenAddress {
  /** The host name or IP address, without brackets. Default 127.0.0.1. */
  readonly hostname: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `[::1]:PORT`, or only a port, which means a port on this machine; undefined for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? NaN);
  return port <= 65_535 ? { hostname: bracketed ?? plain ?? '127.0.0.1', port } : undefined;
}

/** The limits for stored data. */
export interface Retention {
  /** How long data is kept, in milliseconds. Default: no limit. */
  readonly maxAgeMs?: number;
  /** How much data is kept, in bytes. Default: no limit. */
  readonly maxBytes?: number;
}

/** Reads `7d/1GiB`, or only the age or the size; undefined for any other text. */
export function parseRetention(text: string): Retention | undefined {
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
