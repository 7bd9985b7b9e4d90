import type { Appended, EventLogError, NewEvent, WriteCondition } from '@proto/ingress/event-log';

/** What a caller wants to write to a stream. */
export type Work =
  | { readonly kind: 'append'; readonly events: readonly NewEvent[] }
  | { readonly kind: 'document'; readonly name: string; readonly text: string }
  /** Drops what is too old, including the whole stream if its last write is too old. */
  | { readonly kind: 'expire' };

export interface PendingWrite {
  readonly stream: string;
  readonly work: Work;
  readonly condition: WriteCondition;
  readonly growth: number;
  /**
   * The results of this write in a statement whose answer was lost. The statement may have been committed. If the store already contains these
   * events, they are the events of this write and not duplicates.
   */
  attempted?: readonly Appended[] | undefined;
  // These are methods, so that promises with any result type can be assigned.
  resolve(value: unknown): void;
  reject(error: EventLogError): void;
}
