import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { ForwardTo } from './forwarding.ts';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';
import { drainBody } from '../node/incoming-body.ts';
import { bodyLengthOf } from '../node/odd-request.ts';

/**
 * Forwards requests to other nodes, and the answers to the clients. The bytes of the bodies stay unchanged. Reads from each side only as fast as the
 * opposite side accepts data. Fulfils with the status when the answer was sent or its stream is open. Fulfils with undefined, without an answer, if
 * the node cannot be reached or the client has disconnected.
 */
export type ForwardRequest = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: ForwardTo,
) => Promise<number | undefined>;

/**
 * How long a connection to another node waits for the next request, in milliseconds: much less than the other node's limit, because that node could
 * otherwise close the connection while the next request is on its way.
 */
const IDLE_MS = 10_000;

/**
 * Creates the function that forwards requests. Connections to other nodes are reused until `close`, unless they were idle for `idleMs` (10 s by
 * default).
 */
export function createForwardRequest(idleMs = IDLE_MS): { readonly forward: ForwardRequest; close(): void } {
  const plain = endsIdle(new HttpAgent({ keepAlive: true }), idleMs);
  const secure = endsIdle(new HttpsAgent({ keepAlive: true }), idleMs);
  const ask = (incoming: IncomingMessage, { url, header }: ForwardTo) => {
    const { method, url: path, rawHeaders } = incoming;
    const headers = [...requestHeaders(rawHeaders), ...framingOf(incoming), ...header];
    const options = { method, path, headers, setHost: false };
    return url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: secure })
      : httpRequest(url, { ...options, agent: plain });
  };
  return {
    forward: (incoming, outgoing, to) => pass(incoming, outgoing, { to, asked: ask(incoming, to) }),
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * Returns the header that determines where a request ends. This header is never copied from the client, because the connection also carries the
 * requests of other clients.
 */
function framingOf(incoming: IncomingMessage): readonly string[] {
  const length = bodyLengthOf(incoming);
  return Number.isFinite(length) ? ['Content-Length', String(length)] : ['Transfer-Encoding', 'chunked'];
}

/** Closes connections that have been idle for `idleMs`. The `timeout` option of an HTTP agent would also limit a request in progress. */
function endsIdle<Kind extends HttpAgent>(agent: Kind, idleMs: number): Kind {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket);
    (socket as Socket).setTimeout(idleMs);
    return isKept;
  };
  return agent;
}

interface Passing {
  readonly to: ForwardTo;
  /** The request to the node that owns the session. */
  readonly asked: ReturnType<typeof httpRequest>;
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { to, asked }: Passing,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    let status: number | undefined;
    const fail = () => void asked.destroy();
    // The client disconnected while the node was looked up, so neither side would emit an event that ends the exchange.
    if (outgoing.destroyed || incoming.socket.destroyed) {
      asked.on('error', () => {});
      fail();
      return resolve(undefined);
    }
    asked.setTimeout(to.answerMs, () => {
      // While the client is still sending its body and the other node keeps reading it, no answer can be expected yet.
      if (incoming.readableEnded || asked.writableNeedDrain) fail();
    });
    asked.on('error', () => {
      incoming.unpipe(asked);
      if (outgoing.destroyed) return;
      to.failed();
      if (outgoing.headersSent) outgoing.destroy();
      else resolve(undefined);
    });
    outgoing.on('close', () => {
      fail();
      resolve(status);
    });
    asked.on('response', (answer) => {
      status = answer.statusCode ?? 502;
      if (status === 503) to.failed();
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      const headers = answerHeaders(answer.rawHeaders);
      outgoing.writeHead(status, answer.statusMessage, headers);
      outgoing.flushHeaders();
      // An answer that refuses a body may arrive before the body has ended.
      outgoing.once('finish', () => {
        incoming.unpipe(asked);
        drainBody(incoming);
      });
      // If the connection breaks after the last byte has arrived but before that byte has been read, `answer` closes without an error. `outgoing`
      // must then be destroyed here.
      answer.on('error', () => {}).on('close', () => answer.readableEnded || outgoing.destroy());
      answer.pipe(outgoing);
      asked.setTimeout(isStream ? to.silenceMs : to.answerMs, fail);
      if (!isStream) return;
      outgoing.once(
        'close',
        to.opened(() => outgoing.end()),
      );
      resolve(status);
    });
    incoming.on('error', fail);
    incoming.pipe(asked);
  });
}
