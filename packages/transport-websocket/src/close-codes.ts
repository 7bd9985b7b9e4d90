import type { LinkEnd } from './socket-link.ts';

/**
 * What to do when a link has ended or was refused:
 * - `end`: the other side is done; nothing failed
 * - `retry`: another link, the first attempt at once, then with growing delays
 * - `refresh`: the credential was refused: ask for it again and retry at once; refused again it counts as `otherwise` says
 * - `permanent`: never again
 */
export type CloseAction = 'end' | 'retry' | 'refresh' | 'permanent';

/** A row of the table: what to do, and what the code says to a person. */
export interface CloseMeaning {
  readonly action: CloseAction;
  readonly hint: string;
  /** For `refresh`, when the new credential is refused as well. */
  readonly otherwise?: 'retry' | 'permanent';
}

/** Ends the link of a client that sent lines without numbers to a server that numbers lines: the client sends them again, with numbers. */
export const NOT_NUMBERED = 1002;

const RETRY: CloseMeaning = { action: 'retry', hint: 'the connection broke' };
const REFUSED: CloseMeaning = { action: 'permanent', hint: 'the server refuses the request' };

// Whatever is not here is worth another attempt: 1002, 1006, 1011, 1012 and 1013 come and go with proxies and restarts.
const closeCodes: Readonly<Record<number, CloseMeaning>> = {
  1000: { action: 'end', hint: 'the other side is done' },
  1003: { action: 'permanent', hint: 'the other side cannot take what was sent' },
  1009: { action: 'permanent', hint: 'a message is too large for the other side' },
  1010: { action: 'permanent', hint: 'the server lacks an extension' },
  4001: { action: 'permanent', hint: 'there is no such session' },
  4003: { action: 'refresh', otherwise: 'permanent', hint: 'the credential is refused' },
  4090: { action: 'permanent', hint: 'another connection took over' },
  4091: { action: 'permanent', hint: 'the server refused to begin' },
  4094: { action: 'refresh', otherwise: 'permanent', hint: 'the credential is refused' },
};

const statuses: Readonly<Record<number, CloseMeaning>> = {
  401: { action: 'refresh', otherwise: 'retry', hint: 'the credential is refused' },
  403: { action: 'permanent', hint: 'the credential does not allow this' },
  404: { action: 'permanent', hint: 'there is no such session' },
  408: RETRY,
  409: { action: 'permanent', hint: 'another connection took over' },
  425: RETRY,
  429: { action: 'retry', hint: 'the server asks for patience' },
};

/** What the end of a link means. */
export function meaningOf({ status, code }: LinkEnd): CloseMeaning {
  return status === undefined ? meaningOfClose(code) : meaningOfStatus(status);
}

/** What a close code means to a client that can reconnect. */
export function meaningOfClose(code: number): CloseMeaning {
  return closeCodes[code] ?? RETRY;
}

/** What it means when the upgrade was answered with this HTTP status. */
export function meaningOfStatus(status: number): CloseMeaning {
  return statuses[status] ?? (status < 500 ? REFUSED : RETRY);
}
