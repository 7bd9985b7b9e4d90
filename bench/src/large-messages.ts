import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { createSession, type Session } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { createWebSocketTransport, withCorking } from '@proto/transport-websocket';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { createFixtures } from './fixtures.ts';
import { type Candidate, compare } from './measure.ts';
import { report } from './report.ts';

const REQUESTS = 320;
const AT_ONCE = 32;
const PAYLOAD_BYTES = 64 * 1024;
const MEGABYTES = 60;
const ROUNDS = 5;
const MAX_BYTES = 100 * 2 ** 20;

const { code } = createFixtures();

/** R6: large payloads, by the CPU time of both ends in one process, relative to the JSON of the same messages. */
export async function largeMessages(): Promise<void> {
  await payloads();
  await oneMessage();
}

/** Requests and answers of 64 KB each, with 32 in progress at a time, over streams. */
async function payloads(): Promise<void> {
  const ask = {
    subtype: 'can_use_tool',
    tool_name: 'Write',
    tool_use_id: 'toolu_1',
    input: { text: code(PAYLOAD_BYTES) },
  };
  const answer = { behavior: 'allow', updatedInput: { text: code(PAYLOAD_BYTES) } } as const;
  const [there, back] = [new PassThrough(), new PassThrough()];
  const agent = createSession(createStdioTransport({ input: there, output: back }), {
    handlers: { can_use_tool: () => answer },
  });
  const host = createSession(createStdioTransport({ input: back, output: there }));
  const request = async () => {
    const { updatedInput } = await host.request<typeof answer>(ask);
    return updatedInput.text.length > 0;
  };
  const json = () => throughBytes(throughBytes(ask) === undefined ? undefined : answer) !== undefined;
  const measured = await compare(
    'JSON',
    {
      JSON: () => Array.from({ length: REQUESTS }, json).filter(Boolean).length,
      ours: async () => {
        let answered = 0;
        for (let made = 0; made < REQUESTS; made += AT_ONCE) {
          const counts = await Promise.all(Array.from({ length: AT_ONCE }, request));
          answered += counts.filter(Boolean).length;
        }
        return answered;
      },
    },
    REQUESTS,
  );
  reportCost('requests and answers of 64 KB, 32 at a time, over streams', measured, 'JSON', 1.6);
  for (const session of [host, agent]) session.abort();
}

/** One message of 60 MB through a WebSocket on this machine, in each direction. */
async function oneMessage(): Promise<void> {
  const message = { type: 'assistant', text: code(MEGABYTES * 2 ** 20) };
  for (const to of ['a client', 'a server'] as const) {
    const pairs = [await socketPair(), await socketPair()] as const;
    const candidates = {
      JSON: () => (throughBytes(message) === undefined ? 0 : 1),
      ws: bySockets(pairs[0], to, message),
      ours: bySessions(pairs[1], to, message),
    };
    const measured = await compare('JSON', candidates, 1, { rounds: ROUNDS, peers: ['ws'] });
    reportCost(`a message of ${MEGABYTES} MB over a WebSocket, to ${to}`, measured, 'JSON', 2, 'ws');
    for (const { close } of pairs) close();
  }
}

interface SocketPair {
  readonly client: WebSocket;
  readonly server: WebSocket;
  close(): void;
}

async function socketPair(): Promise<SocketPair> {
  const listener = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, maxPayload: MAX_BYTES });
  await once(listener, 'listening');
  const url = `ws://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const client = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_BYTES });
  const accepted = new Promise<WebSocket>((resolve) => {
    listener.on('connection', (socket, request) => resolve(withCorking(socket, request.socket)));
  });
  client.once('upgrade', ({ socket }) => withCorking(client, socket));
  await once(client, 'open');
  return {
    client,
    server: await accepted,
    close() {
      client.terminate();
      listener.close();
    },
  };
}

/** The minimum work of a program: encode, send, receive and parse. */
function bySockets({ client, server }: SocketPair, to: 'a client' | 'a server', message: object): Candidate {
  const [from, reader] = to === 'a client' ? [server, client] : [client, server];
  let onMessage = (_: unknown) => {};
  reader.on('message', (data: RawData) => onMessage(JSON.parse((data as Buffer).toString())));
  return async () => {
    const arrived = new Promise((resolve) => (onMessage = resolve));
    from.send(JSON.stringify(message));
    return (await arrived) === undefined ? 0 : 1;
  };
}

function bySessions({ client, server }: SocketPair, to: 'a client' | 'a server', message: { type: string }): Candidate {
  const over = (socket: WebSocket): Transport => createWebSocketTransport(socket, { maxLineBytes: MAX_BYTES });
  const ends: readonly Session[] = [createSession(over(server)), createSession(over(client))];
  const [from, reader] = (to === 'a client' ? ends : ends.toReversed()) as [Session, Session];
  const received = reader[Symbol.asyncIterator]();
  return async () => {
    void from.emit(message);
    for (;;) {
      const { done, value } = await received.next();
      if (done === true) throw new Error('the session has ended');
      if (value.kind === 'message') return 1;
    }
  };
}

/** Returns a value as the other side receives it, after encoding to JSON and bytes and decoding again. */
function throughBytes(value: unknown): unknown {
  return JSON.parse(Buffer.from(JSON.stringify(value)).toString());
}

function reportCost(
  name: string,
  measured: Awaited<ReturnType<typeof compare<string>>>,
  base: string,
  goal: number,
  peer?: string,
): void {
  const cost = measured.between(base, 'ours');
  const text = (candidate: string) => `${(1e3 / measured.of(candidate).rate).toPrecision(3)} ms`;
  report({
    id: 'R6',
    case: name,
    metric: 'ratio',
    value: cost,
    goal,
    atMost: true,
    tol: 0.15,
    base,
    noisy: measured.noisy,
    figures: {
      limit: `${base} ${text(base)}`,
      ours: text('ours'),
      ...(peer !== undefined && { peer: `${peer} ${text(peer)}`, toPeer: measured.between(peer, 'ours') }),
    },
    note: `${text('ours')}; ${base} ${text(base)}${peer === undefined ? '' : `; ${peer} ${text(peer)}`}`,
  });
}
