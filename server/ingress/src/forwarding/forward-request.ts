import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { ForwardTo } from './forwarding.ts';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';
import { drainBody } from '../node/incoming-body.ts';
import { bodyLengthOf } from '../node/odd-request.ts';

/**
 * Forwards requests to other nodes with the same bytes in their bodies, and the answers to the clients. Reads from one side only what the other side
 * takes. Fulfils with the status when the answer was sent, or its stream is open; with undefined if the other node cannot be reached or the client
 * has left, and nothing was answered.
 */
export type ForwardRequest = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: ForwardTo,
) => Promise<number | undefined>;

/**
 * How long a connection to another node waits for the next request, in milliseconds: much less than the other node keeps it, which would otherwise
 * end it while the next request is on its way.
 */
const IDLE_MS = 10_000;

/**
 * Creates the function that forwards requests. Connections to other nodes are kept for further requests, each until it was idle for `idleMs` (10 s by
 * default), and all until `close`.
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

/** The connection has requests of other clients too, so a header of a client never decides where a request ends. */
function framingOf(incoming: IncomingMessage): readonly string[] {
  const length = bodyLengthOf(incoming);
  return Number.isFinite(length) ? ['Content-Length', String(length)] : ['Transfer-Encoding', 'chunked'];
}

/** Lets connections wait no longer for a next request. The `timeout` of an agent would also count while a request is under way. */
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
  /** The request to the other node. */
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
    // The client has left during the search for the node: neither side would say that the exchange is over.
    if (outgoing.destroyed || incoming.socket.destroyed) {
      asked.on('error', () => {});
      fail();
      return resolve(undefined);
    }
    asked.setTimeout(to.answerMs, () => {
      // The other node cannot answer before the client has sent its body, as long as it takes what the client sends.
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
      // The answer may come before the end of a body that it refuses.
      outgoing.once('finish', () => {
        incoming.unpipe(asked);
        drainBody(incoming);
      });
      // A connection that breaks after the last byte of an answer may end before that byte was read.
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
