import type { WireMessage } from '@proto/core/framing';
import { incomingOf, type Resumption } from '@proto/core/internal';
import { parseNumberedCursor } from '@proto/core/network';
import {
  type Cursor,
  type Incoming,
  type IncomingLink,
  isResumable,
  type Transport,
  wrapTransport,
} from '@proto/core/transport';
import type { CursorFile } from './cursor-file.ts';

/** Callbacks and state for reading a session. */
export interface ReadSessionOptions {
  /** The number of the last event in the log when this client connected. Later events are live. */
  readonly last: number;
  readonly cursorFile: CursorFile | undefined;
  readonly onMessage: (message: WireMessage, isLive: boolean) => void;
  readonly onLink: (link: IncomingLink) => void;
  /** Called when messages may be missing. Returns true to end the session at that point. */
  readonly onGap: () => boolean;
}

/** Wraps the transport of a session: calls back for each message before the client reads it, and saves the cursors of read messages. */
export function readSession(viewer: Transport, options: ReadSessionOptions): Transport {
  const { last, cursorFile, onMessage, onLink, onGap } = options;
  /** Returns how many of the items to pass to the client. */
  function inspect(items: readonly Incoming[]): number {
    for (const [index, item] of items.entries()) {
      if (item.kind === 'link') {
        onLink(item);
        if (item.resumed === false && onGap()) return index;
      } else if (item.kind === 'message') {
        const { message } = item.read();
        if (message !== undefined) onMessage(message, item.cursor === undefined || placeOf(item.cursor) > last);
      }
    }
    return items.length;
  }
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    for await (const items of viewer.incoming) {
      const count = inspect(items);
      yield items.slice(0, count).map(asLine);
      if (count < items.length) return;
    }
  }
  const resumption: Resumption = {
    get cursor() {
      return isResumable(viewer) ? viewer.resumption.cursor : undefined;
    },
    acknowledge(cursor) {
      if (isResumable(viewer)) viewer.resumption.acknowledge(cursor);
      cursorFile?.save(cursor);
    },
  };
  return wrapTransport(viewer, { incoming: incoming(), resumption });
}

/** Writes U+2028 and U+2029 as escapes, as agents do: some line readers treat these characters as line ends. */
function asLine(item: Incoming): Incoming {
  if (item.kind !== 'message' || !/[\u2028\u2029]/.test(item.text)) return item;
  const { message } = item.read();
  return message === undefined ? item : incomingOf(message, item);
}

function placeOf(cursor: Cursor): number {
  const [place] = parseNumberedCursor(cursor);
  return place;
}
