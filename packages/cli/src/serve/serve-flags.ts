import type { RestartPolicy } from '@proto/worker';
import { parseDuration, parseSize } from '@proto/terminal/process';

/** The address at which `sjp serve` listens by default. */
export const DEFAULT_LISTEN = '127.0.0.1:4983';

/** The address at which a server listens. */
export interface ListenAddress {
  readonly hostname: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `[::1]:PORT`, or a port of this machine alone; undefined for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? NaN);
  return port <= 65_535 ? { hostname: bracketed ?? plain ?? '127.0.0.1', port } : undefined;
}

/** Reads `never` or `on-failure:N`; undefined for any other text. */
export function parseRestart(text: string): RestartPolicy | undefined {
  if (text === 'never') return { maxAttempts: 0 };
  const [, attempts] = /^on-failure:(\d{1,6})$/.exec(text) ?? [];
  return attempts === undefined ? undefined : { maxAttempts: Number(attempts) };
}

/** How long and how much of each session is kept. What is absent is the default of the log. */
export interface Retained {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

/** Reads `7d/1GiB`, or one of the two; undefined for any other text. */
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
