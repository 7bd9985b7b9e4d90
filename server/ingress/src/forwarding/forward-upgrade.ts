import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardTo } from './forwarding.ts';
import { answerHeaders, headText, requestHeaders } from './forwarded-headers.ts';

/** A request for a WebSocket, with the bytes that followed it. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Forwards a request for a WebSocket to another node, and then every byte in both directions. Each side is read only as fast as the opposite side
 * accepts data. `refuse` is called if the node cannot be reached.
 */
export function forwardUpgrade({ request, socket, head }: Upgrade, to: ForwardTo, refuse: () => void): void {
  const headers = [...requestHeaders(request.rawHeaders), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const options = { path: request.url, headers: [...headers, ...to.header], setHost: false, agent: false };
  const asked = to.url.startsWith('https:') ? httpsRequest(to.url, options) : httpRequest(to.url, options);
  const leave = () => asked.destroy();
  asked.setTimeout(to.answerMs, leave);
  socket.once('close', leave);
  asked.on('error', () => {
    to.failed();
    if (!socket.destroyed) refuse();
  });
  asked.on('response', (answer) => {
    if (answer.statusCode === 503) to.failed();
    const line = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`;
    const kept = answerHeaders(answer.rawHeaders);
    socket.write(headText(line, [...kept, 'Connection', 'close']));
    answer.on('error', () => {}).pipe(socket);
  });
  asked.on('upgrade', (answer, far, farHead) => {
    socket.off('close', leave);
    socket.write(headText(`HTTP/1.1 101 ${answer.statusMessage}`, answer.rawHeaders));
    socket.write(farHead);
    far.write(head);
    join(socket, far, to);
  });
  asked.end();
}

function join(near: Duplex, far: Duplex & Pick<Socket, 'setTimeout'>, to: ForwardTo): void {
  // Removes the time limit for requests.
  (near as Partial<Pick<Socket, 'setTimeout'>>).setTimeout?.(0);
  const end = () => {
    near.destroy();
    far.destroy();
  };
  const done = to.opened(end);
  for (const side of [near, far]) {
    side.on('error', end);
    side.once('close', () => {
      done();
      end();
    });
  }
  // The nodes send pings within this time.
  far.setTimeout(to.silenceMs, end);
  near.pipe(far);
  far.pipe(near);
}
