import type { WireMessage } from '@proto/core/framing';
import { type Incoming, isResumable, type Transport, wrapTransport } from '@proto/core/transport';
import { type IncomingLink, incomingOf, type Resumption } from '@proto/core/internal';
import type { CursorFile } from './cursor-file.ts';

/** What is made of a session beside handing it on. */
export interface ReadSessionOptions {
  /** The last event of the log when this client came: what is later happens now. */
  readonly last: number;
  readonly cursorFile: CursorFile | undefined;
  readonly onMessage: (message: WireMessage, isLive: boolean) => void;
  readonly onLink: (link: IncomingLink) => void;
  /** Messages may be missing. True where nothing is to be read behind that. */
  readonly onGap: () => boolean;
}

/** A session as its client reads it: what it says is seen on the way, and how far the client got is kept. */
export function readSession(viewer: Transport, options: ReadSessionOptions): Transport {
  const { last, cursorFile, onMessage, onLink, onGap } = options;
  /** How many of the items may be handed on. */
  function look(items: readonly Incoming[]): number {
    for (const [index, item] of items.entries()) {
      if (item.kind === 'link') {
        onLink(item);
        if (item.resumed === false && onGap()) return index;
      } else if (item.kind === 'message') {
        const { message } = item.read();
        if (message !== undefined) onMessage(message, item.cursor === undefined || Number(item.cursor) > last);
      }
    }
    return items.length;
  }
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    for await (const items of viewer.incoming) {
      const count = look(items);
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

/** Some readers of lines end one where these stand; as escapes they mean the same. An agent has written them so, too. */
function asLine(item: Incoming): Incoming {
  if (item.kind !== 'message' || !/[\u2028\u2029]/.test(item.text)) return item;
  const { message } = item.read();
  return message === undefined ? item : incomingOf(message, item);
}
