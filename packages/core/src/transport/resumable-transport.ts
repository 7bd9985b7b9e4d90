import type { Batch, Cursor, Transport } from './transport.ts';

/** How far the caller has dealt with what came in. */
export interface Resumption {
  /** The last place that was acknowledged: a later transport, also one of another process, goes on after it. */
  readonly cursor: Cursor | undefined;
  /** Everything up to this place is dealt with. An earlier place, or one that never came, changes nothing. */
  acknowledge(cursor: Cursor): void;
}

/** A transport that numbers what it delivers. */
export interface ResumableTransport extends Transport {
  readonly resumption: Resumption;
}

/** Whether a transport numbers what it delivers. It may learn that from its link: ask when you need it. */
export function isResumable(transport: Transport): transport is ResumableTransport {
  return (transport as Partial<ResumableTransport>).resumption !== undefined;
}

/** What a transport keeps of what it sent. */
export interface Retained {
  /**
   * What the peer has not confirmed, in order. Also after the end of the transport, so that another transport can send it again under the
   * same ids.
   */
  batches(): readonly Batch[];
}

/** A transport that keeps what it sent until the peer has confirmed it. */
export interface RetainingTransport extends Transport {
  readonly retained: Retained;
}

/** Whether a transport keeps what it sent until the peer has confirmed it. It may learn that from its link: ask when you need it. */
export function isRetaining(transport: Transport): transport is RetainingTransport {
  return (transport as Partial<RetainingTransport>).retained !== undefined;
}
