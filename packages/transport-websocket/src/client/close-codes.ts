import { meaningOfStatus, type RetryMeaning } from '@proto/core/network';
import type { LinkEnd } from '../socket/socket-link.ts';

const BROKE: RetryMeaning = { action: 'retry', hint: 'the connection broke' };

// Every other code is retried: 1002, 1006, 1008, 1011, 1012 and 1013 occur temporarily because of proxies and restarts.
const closeCodes: Readonly<Record<number, RetryMeaning>> = {
  1000: { action: 'end', hint: 'the other side has finished' },
  1003: { action: 'permanent', hint: 'the other side cannot accept the data that was sent' },
  1007: { action: 'permanent', hint: 'the other side cannot read a message as text' },
  1009: { action: 'permanent', hint: 'a message is too large for the other side' },
  1010: { action: 'permanent', hint: 'the server does not support a required extension' },
  4001: { action: 'permanent', hint: 'the session does not exist' },
  4003: { action: 'refresh', otherwise: 'permanent', hint: 'the credential is refused' },
  4090: { action: 'permanent', hint: 'another connection took over' },
  4091: { action: 'permanent', hint: 'the server refused to start the connection' },
  4094: { action: 'refresh', otherwise: 'permanent', hint: 'the credential is refused' },
};

/** The meaning is taken from the HTTP status if the upgrade was answered with one, and from the close code otherwise. */
export function meaningOf({ status, code }: Pick<LinkEnd, 'status' | 'code'>): RetryMeaning {
  return status === undefined ? meaningOfClose(code) : meaningOfStatus(status);
}

export function meaningOfClose(code: number): RetryMeaning {
  return closeCodes[code] ?? BROKE;
}
