import type { Line } from '@proto/core/framing';
import type { Clock, ReplayBuffer, ReplayEntry } from '@proto/core/internal';
import type { TransportControl } from '@proto/core/transport';
import type { SocketLink } from './socket-link.ts';

/** A way in which two sides speak over their links, one link after the other; which one shows when a link has opened. */
export interface LinkMode {
  /** A link has opened. Calls `opened` when it can be written to, now or later. */
  onOpen(link: SocketLink): void;
  onLines(lines: readonly Line[]): void;
  send(entry: ReplayEntry): void;
  /** Says something while nothing else is said. */
  onBeat(): void;
  /** The answer to a ping with this mark has come. */
  onProof?(mark: number): void;
  /** Finds out what has arrived, where the other side does not say it. */
  look?(): void;
  /** The link is gone. */
  onEnd?(): void;
}

/** Whom a mode speaks for: the driver, with what outlives any link. */
export interface ModeHost {
  readonly control: TransportControl;
  readonly clock: Clock;
  /** What was sent and has not arrived, as far as this side knows. */
  readonly replay: ReplayBuffer;
  /** True until a link is up, where nothing has come in before. */
  readonly isFresh: boolean;
  /** Whether the link is up. */
  readonly isUp: boolean;
  /** The link can be written to: what is kept is sent. */
  opened(resumed: boolean): void;
  /** A link that is up is not, until `opened` is called again: the other side numbers its lines after all. */
  reopen(isFresh: boolean): void;
  /** Nothing can be missing where it is `resumed`; else messages of the other side may be, also on a link that was up already. */
  onUp(resumed: boolean): void;
  /** The other side has everything up to this number. */
  acknowledge(sequence: number): void;
}

/** After so much that was not acknowledged something is done about it: the other side need not keep more for one that is idle. */
export const ACK_BYTES: number = 64 * 1024;
