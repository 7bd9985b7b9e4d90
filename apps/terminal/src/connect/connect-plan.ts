import { numberedCursor } from '@proto/core/network';
import type { Cursor } from '@proto/core/transport';
import { type LinkKind, parseSessionAddress, type SessionAddress } from '@proto/remote';
import type { ColorMode } from '../view/terminal-text.ts';

/** Which session to follow, and how to show it. */
export interface ConnectOptions {
  /** The name of the program in texts for users, such as `sjp connect`. */
  readonly name: string;
  /** The id of the session, or `new` to create a session. Default: the session that the address names. */
  readonly session?: string;
  /** Whether to create a new session if the given session does not exist or is archived. Default false. */
  readonly newIfGone?: boolean;
  /** Where to begin: `start`, `now`, or after the event with this number or cursor. Default: the cursor in the cursor file, otherwise `start`. */
  readonly since?: string;
  /** The file with the cursor at which to begin. Later cursors replace this cursor. Default: no file. */
  readonly cursorFile?: string;
  /** The kind of connection to try first. Default: the kind that the address names. */
  readonly prefer?: LinkKind;
  /** What is written to stdout: `ndjson` for every message, `text` for people, `json` for the last result. */
  readonly format: 'ndjson' | 'text' | 'json';
  /**
   * How stderr is written: as human-readable lines or as lines of JSON. Default: `text` if `format` is `text` or stderr is a terminal, otherwise
   * `json`.
   */
  readonly reports?: 'text' | 'json' | undefined;
  /** Whether to end with exit code 9 if messages may be missing. Default false. */
  readonly requireContinuity?: boolean;
  /** Returns the token for a host name. Called for each connection. Default: no token is sent. */
  readonly token?: (hostname: string) => Promise<string | undefined>;
  /** When the format `text` is coloured. */
  readonly color: ColorMode;
}

/** The plan that results from the options. */
export interface ConnectPlan extends Required<SessionAddress> {
  /** Where to begin: `start`, `now`, or a cursor. If undefined, begin at the cursor in the cursor file, or otherwise at the beginning of the log. */
  readonly since: Cursor | undefined;
}

/**
 * Reads the address and the options.
 *
 * @throws Error if an option is malformed, or contradicts the address.
 */
export function planConnect(address: string, { session, since, prefer }: ConnectOptions): ConnectPlan {
  const parsed = parseSessionAddress(address);
  if (parsed.session !== undefined && session !== undefined && parsed.session !== session) {
    throw new Error('the address and --session name different sessions');
  }
  const named = session ?? parsed.session;
  if (named === undefined)
    throw new Error('the session is missing: give --session ID, or --session new to create a session');
  if (!/^[A-Za-z0-9_-]+$/.test(named))
    throw new Error(`--session must be "new" or the id of a session, not "${named}"`);
  return { ...parsed, session: named, since: sinceOf(since), prefer: prefer ?? parsed.prefer };
}

function sinceOf(since: string | undefined): ConnectPlan['since'] {
  if (since === undefined || since === 'start' || since === 'now') return since;
  const [, number, log] = /^(\d{1,15})(?:@([\w-]{1,64}))?$/.exec(since) ?? [];
  if (number !== undefined) return numberedCursor(Number(number), log);
  throw new Error(`--since must be "start", "now", a sequence number or a cursor, not "${since}"`);
}
