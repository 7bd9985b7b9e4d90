import type { Readable, Writable } from 'node:stream';
import { type Incoming, relay, type Transport, type TransportError, wrapTransport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { incomingOf, mapIncoming } from '@proto/core/internal';
import { type OwnTurns, withCancels } from '@proto/remote';

/** The streams of the client, and the callbacks for lost messages. */
export interface ConnectLinesOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly turns: OwnTurns;
  /** Called for a line of stdin that is not a message. The line is not sent to the session. */
  readonly onMalformed: (reason: string) => void;
  /** Called when the server has not accepted a message. */
  readonly onUndelivered: (error: TransportError) => void;
}

/**
 * Connects a session with two streams of lines, as if they were the stdin and stdout of its agent. Fulfils when the session and the streams have
 * ended.
 */
export async function connectLines(session: Transport, options: ConnectLinesOptions): Promise<void> {
  const stdio = createStdioTransport({ input: options.stdin, output: options.stdout });
  await relay(withCancels(session), flushed(withTurns(stdio, options)), {
    onUndelivered: (to, error) => to === 'a' && options.onUndelivered(error),
    onItem: (from, item) => item.kind === 'malformed' && from === 'b' && options.onMalformed(item.error.message),
  });
}

/** Flushes each batch, so that an event is acknowledged only after it has left this process. */
function flushed(stdio: Transport): Transport {
  return wrapTransport(stdio, {
    async send(batch, options) {
      await stdio.send(batch, options);
      await stdio.flush(options);
    },
  });
}

function withTurns(stdio: Transport, { turns, onMalformed }: ConnectLinesOptions): Transport {
  const map = (item: Incoming): readonly Incoming[] => {
    if (item.kind !== 'message') return [item];
    const { message, reason } = item.read();
    if (message === undefined) {
      // The server would refuse the whole request that contains such a line.
      onMalformed(`a line is not a message: ${reason}`);
      return [];
    }
    const sent = turns.sent(message);
    return [sent === message ? item : incomingOf(sent)];
  };
  return mapIncoming(stdio, map, () => turns.ended());
}
