import type { JsonObject } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';

/** Whether a stream continues the cursor of its reader; where it does not, what is missing. */
export type Verdict =
  | { readonly verdict: 'ok' }
  | {
      readonly verdict: 'gap';
      readonly reason: 'evicted' | 'unknown_cursor';
      readonly from: number;
      readonly to: number;
    };

/** Something said beside the log, and never again. */
export interface LiveFrame {
  readonly event: string;
  readonly data: JsonObject;
  /** The message of an ephemeral event, as JSON text. */
  readonly payload?: string | undefined;
}

/** Makes one. */
export function liveFrame(event: string, data: JsonObject, payload?: string): LiveFrame {
  return { event, data, payload };
}

/** How streams of one kind say things. What is undefined is not said to such a reader. */
export interface StreamFormat {
  /** Said at once, and whenever nothing else was for a while. */
  readonly keepalive: string | undefined;
  /** Said first, to who has everything up to `cursor`. */
  verdict(cursor: number, verdict: Verdict): string | undefined;
  /** A stored event, when it is stored. */
  event(event: StoredEvent): string;
  /** The same from the log. */
  replayed(event: StoredEvent): string;
  live(frame: LiveFrame): string | undefined;
}
