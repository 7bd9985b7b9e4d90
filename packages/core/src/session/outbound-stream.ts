import type { Outgoing, SendOptions, Transport } from '../transport/transport.ts';

export const DEFAULT_HIGH_WATER_MARK_BYTES = 1024 * 1024;
export const DEFAULT_MAX_OUTBOUND_BYTES = 256 * 1024 * 1024;

/**
 * What happens above the high-water mark:
 * - `wait`: every message is queued, and the promise of `emit` stays pending
 * - `fail`: `enqueue` throws a `TransportError` with the code `overflow`
 * - `drop-ephemeral`: ephemeral messages are counted but not queued. All other messages are treated as with `wait`
 */
export type OverflowPolicy = 'wait' | 'fail' | 'drop-ephemeral';

/** The limits of an outbound stream, and what happens above them. */
export interface OutboundStreamOptions {
  /** The number of waiting bytes above which `emit` stays pending. Default 1 MiB. */
  readonly highWaterMarkBytes?: number;
  /**
   * The maximum number of waiting bytes, for producers that do not wait for `emit`. A message that would exceed this limit ends the stream. Default
   * 256 MiB.
   */
  readonly maxOutboundBytes?: number;
  /** What happens above the high-water mark. Default `wait`. */
  readonly overflow?: OverflowPolicy;
  /** A stage that receives every message before the queue does. Default: messages are added directly to the queue. */
  readonly stage?: OutboundStage;
  /** Called each time messages have been handed to the reader and fewer bytes than the high-water mark are waiting. */
  readonly onDrain?: () => void;
  /** Called once when the reader leaves before the end. */
  readonly onReturn?: () => void;
}

/** How one item is queued. */
export interface EnqueueOptions {
  /** The id under which the message is sent, for transports with message ids. */
  readonly id?: string;
  /** True for a message that may be lost without harm. Default false. */
  readonly ephemeral?: boolean;
}

/** A stage in front of the queue, which receives each message and passes the messages on in order, possibly later or changed. */
export type OutboundStage = (next: (message: object, options: EnqueueOptions) => void) => {
  enqueue(message: object, options: EnqueueOptions): void;
  /** Passes on all messages that the stage holds back. */
  flush(): void;
};

/**
 * The state of an outbound stream:
 * - `created`: empty and without a reader
 * - `waiting`: the reader has received everything
 * - `buffering`: messages are waiting
 * - `completed`: the stream has ended, and the reader has received everything
 */
export type OutboundState = 'created' | 'waiting' | 'buffering' | 'completed';

/**
 * The single queue between all producers and the writer. Messages leave the queue in the order in which they were queued. A message is encoded
 * when it is queued, so the caller may change the object afterwards. The stream can have only one reader: `pipeTo` or `for await`.
 */
export interface OutboundStream extends AsyncIterable<Outgoing> {
  /** Whether the stream has a reader, whether messages wait, and whether the stream has ended. */
  readonly state: OutboundState;
  /** How many messages are waiting. */
  readonly count: number;
  /** The size of the waiting messages, in UTF-16 units of their text. Never greater than their size in bytes. */
  readonly bytes: number;
  /** How many ephemeral messages were not queued. */
  readonly dropped: number;
  /**
   * Queues a message. If the call throws, nothing is queued.
   *
   * @throws {TypeError} for a message that JSON cannot represent
   * @throws {TransportError} `closed` after the end
   * @throws {TransportError} `overflow` above the high-water mark with the policy `fail`, and above `maxOutboundBytes`. Above `maxOutboundBytes`, the
   * stream also ends with that error: all waiting messages are dropped, and the reader receives the error at once
   */
  enqueue(message: object, options?: EnqueueOptions): void;
  /** Queues a message like `enqueue`. Fulfils when fewer bytes than the high-water mark are waiting. Rejects if `enqueue` would throw. */
  emit(message: object, options?: EnqueueOptions): Promise<void>;
  /** Ends the stream: no more messages can be added. The reader still receives all waiting messages. */
  end(): void;
  /** Ends the stream with an error. The reader receives the error after all waiting messages. Does nothing after `end`. */
  fail(reason: unknown): void;
  /**
   * Writes everything to a transport. The messages of one tick are sent as one batch. If these messages exceed 16 kB, the first part is sent at once.
   * The next batch is sent after `send` has settled. Fulfils when the stream has ended and everything is sent. The transport stays open. If sending
   * fails, the promise rejects and the stream ends.
   */
  pipeTo(transport: Pick<Transport, 'send'>, options?: SendOptions): Promise<void>;
}
