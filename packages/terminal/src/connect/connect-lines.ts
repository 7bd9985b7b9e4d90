import type { Readable, Writable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { type Incoming, relay, type Transport, type TransportError, wrapTransport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { incomingOf, mapIncoming } from '@proto/core/internal';
import { type OwnTurns, withCancels } from '@proto/remote';

/** Between which streams, and what is told beside. */
export interface ConnectLinesOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly turns: OwnTurns;
  /** A line of stdin that is no message; it is left out. */
  readonly onMalformed: (reason: string) => void;
  /** The server took a message not, or did not live to. */
  readonly onUndelivered: (error: TransportError) => void;
}

/** Gives a session to two streams as lines, as if its agent stood behind them. Fulfils when both have ended. */
export async function connectLines(session: Transport, options: ConnectLinesOptions): Promise<void> {
  const stdio = createStdioTransport({ input: options.stdin, output: options.stdout });
  await relay(withCancels(session), handedOn(said(stdio, options)), {
    onUndelivered: (to, error) => to === 'a' && options.onUndelivered(error),
    onItem: (from, item) => item.kind === 'malformed' && from === 'b' && options.onMalformed(item.error.message),
  });
}

/** A place counts as reached when what is before it has left this process, and not when it waits to. */
function handedOn(stdio: Transport): Transport {
  return wrapTransport(stdio, {
    async send(batch, options) {
      await stdio.send(batch, options);
      await stdio.flush(options);
    },
  });
}

function said(stdio: Transport, { turns, onMalformed }: ConnectLinesOptions): Transport {
  const map = (item: Incoming): readonly Incoming[] => {
    if (item.kind !== 'message') return [item];
    const { message, reason } = item.read();
    if (message === undefined) {
      // It would make the server refuse what goes with it.
      onMalformed(`a line is no message: ${reason}`);
      return [];
    }
    const identified = message.type === 'user' ? withUuid(message) : message;
    turns.said(identified);
    return [identified === message ? item : incomingOf(identified)];
  };
  return mapIncoming(stdio, map, () => turns.ended());
}

/** The prompt with the id by which its result can name it. */
function withUuid(message: WireMessage): WireMessage {
  return typeof message['uuid'] === 'string' ? message : { ...message, uuid: crypto.randomUUID() };
}
