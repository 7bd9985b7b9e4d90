import { type LinkKind, parseSessionAddress, type SessionAddress } from '@proto/remote';
import type { ColorMode } from '../view/paint.ts';

/** Which session is followed, and how it is shown. */
export interface ConnectOptions {
  readonly session?: string;
  readonly newIfGone?: boolean;
  readonly since?: string;
  readonly cursorFile?: string;
  readonly prefer?: LinkKind;
  readonly format: 'ndjson' | 'text' | 'json';
  readonly requireContinuity?: boolean;
  /** The token for a host, asked for each link; undefined where there is none. Default: none. */
  readonly token?: (hostname: string) => Promise<string | undefined>;
  readonly color: ColorMode;
}

/** What the flags mean. */
export interface ConnectPlan extends Required<SessionAddress> {
  /** Undefined where the file says it, or else from the beginning on. */
  readonly since: 'start' | 'now' | number | undefined;
}

/** Reads the address and the flags; throws where they mean nothing together. */
export function planConnect(address: string, { session, since, prefer }: ConnectOptions): ConnectPlan {
  const parsed = parseSessionAddress(address);
  if (parsed.session !== undefined && session !== undefined && parsed.session !== session) {
    throw new Error('there are two sessions: in the address and in --session');
  }
  const named = session ?? parsed.session;
  if (named === undefined) throw new Error('there is no session: give --session ID, or --session new to make one');
  if (!/^[A-Za-z0-9_-]+$/.test(named)) throw new Error(`--session takes an id or new, not "${named}"`);
  return { ...parsed, session: named, since: sinceOf(since), prefer: prefer ?? parsed.prefer };
}

function sinceOf(since: string | undefined): ConnectPlan['since'] {
  if (since === undefined || since === 'start' || since === 'now') return since;
  if (/^\d{1,15}$/.test(since)) return Number(since);
  throw new Error(`--since takes start, now or a sequence number, not "${since}"`);
}
