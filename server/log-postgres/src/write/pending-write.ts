import type { Appended, EventLogError, NewEvent, WriteCondition } from '@proto/ingress/event-log';

/** What a caller wants to write to a stream. */
export type Work =
  | { readonly kind: 'append'; readonly events: readonly NewEvent[] }
  | { readonly kind: 'document'; readonly name: string; readonly text: string }
  /** Drops what is too old, and the stream if its last write is too old. */
  | { readonly kind: 'expire' };

export interface PendingWrite {
  readonly stream: string;
  readonly work: Work;
  readonly condition: WriteCondition;
  readonly growth: number;
  /**
   * The results of a statement whose answer was lost: it may have been committed. If its events are found, they are not duplicates, but the
   * events of this write.
   */
  attempted?: readonly Appended[] | undefined;
  // Methods, so that promises of any result fit.
  resolve(value: unknown): void;
  reject(error: EventLogError): void;
}
