import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Random } from '../../schedules/random.ts';
import { parseRequests, type ParsedRequest } from './parse-requests.ts';

/** A listener in the place of a node, which keeps every byte of each connection. */
export interface RawOwner {
  readonly url: string;
  /** Decides how the listener answers from now on. */
  random: Random;
  /** Returns the requests that have arrived since the last call, and what is wrong with the bytes of connections. */
  taken(): { readonly requests: readonly ParsedRequest[]; readonly faults: readonly string[] };
  close(): void;
}

/** The text of an answer to no request, which a client must never get. */
export const UNASKED = 'unasked-answer';

/** Starts a listener. It answers each complete request with its mark, sometimes early, and sometimes sends an answer without a request. */
export async function startRawOwner(random: Random): Promise<RawOwner> {
  const connections = new Set<{
    readonly socket: Socket;
    received: string;
    answered: number;
    taken: number;
    fault?: string;
  }>();
  const listener = createServer((socket) => {
    const connection = { socket, received: '', answered: 0, taken: 0 };
    connections.add(connection);
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        connection.received += chunk.toString('latin1');
        const { requests } = parseRequests(connection.received);
        for (const request of requests.slice(connection.answered)) answer(socket, request);
        connection.answered = requests.length;
      });
  });
  const answer = (socket: Socket, request: ParsedRequest) => {
    const isHead = request.line.startsWith('HEAD ');
    const unasked = owner.random() < 0.1 ? answerText(JSON.stringify({ mark: UNASKED }), false) : '';
    socket.write(answerText(JSON.stringify({ mark: markOf(request) }), isHead) + unasked);
  };
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const owner: RawOwner = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    random,
    taken() {
      const faults: string[] = [];
      const found = Array.from(connections).flatMap((connection) => {
        const { requests, fault } = parseRequests(connection.received);
        if (fault !== undefined && fault !== connection.fault) faults.push(fault);
        if (fault !== undefined) connection.fault = fault;
        const fresh = requests.slice(connection.taken);
        connection.taken = requests.length;
        if (connection.socket.destroyed) connections.delete(connection);
        return fresh;
      });
      return { requests: found, faults };
    },
    close() {
      for (const { socket } of connections) socket.destroy();
      listener.close();
    },
  };
  return owner;
}

/** The mark in the line of a request. */
export function markOf({ line }: ParsedRequest): string | undefined {
  return /[?&]mark=([\w-]+)/.exec(line)?.[1];
}

function answerText(body: string, isHead: boolean): string {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return isHead ? head : head + body;
}
