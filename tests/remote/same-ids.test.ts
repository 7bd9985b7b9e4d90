/** Each side chooses the ids of its requests. A host and an agent that use the same three ids never disturb each other, over any connection. */
import { createMemoryPair, encodeBatch, type Incoming, type Transport } from '@proto/core/transport';
import { recordTransport } from '@proto/recording';
import { createWebSocketServerTransport, createWebSocketClientTransport } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loopback } from '../contract/loopback.test-support.ts';
import {
  makeSession,
  type RemoteSession,
  viewerByStream,
  viewerBySocket,
  workerByStream,
  workerBySocket,
} from './remote-pair.ts';
import { randomFrom } from '../schedules/random.ts';
import { startIngress, TOKENS } from './remote-session.ts';
import { bin } from './served-agents.ts';

const folder = mkdtempSync(join(tmpdir(), 'same-ids-'));
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, TOKENS.driver);
const server = await startIngress();
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ends {
  readonly host: Transport;
  readonly agent: Transport;
}

type Openers = Readonly<Record<'host' | 'agent', (session: Promise<RemoteSession>) => Transport>>;

const acrossServer = (open: Openers) => async (): Promise<Ends> => {
  const session = makeSession(server.url);
  return { host: open.host(session), agent: open.agent(session) };
};

const byProcess = (startHost: (session: RemoteSession) => Transport) => async (): Promise<Ends> => {
  const session = await makeSession(server.url);
  return { host: startHost(session), agent: workerByStream(Promise.resolve(session)) };
};

const FLAGS = [
  '--print',
  '--verbose',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--permission-prompt-tool=stdio',
];
const env = (more: Readonly<Record<string, string>> = {}) => inheritEnvironment({ SJP_HOME: folder, ...more });
const shimAt = (address: string) =>
  spawnAgent({
    command: bin('shim'),
    args: FLAGS,
    env: env({ SJP_SHIM_URL: address, SJP_SHIM_TOKEN_FILE: tokenFile }),
  });
const bridgeTo = (uri: string) =>
  spawnAgent({ command: bin('main'), args: ['bridge', `--token-file=${tokenFile}`, '-', uri], env: env() });

/** Connections between a host and an agent, with how many sequences of requests are tried over each. */
const CONNECTIONS: readonly (readonly [name: string, runs: number, open: () => Promise<Ends>])[] = [
  ['memory', 50, async () => createMemoryPair()],
  [
    'a recording',
    50,
    async () => {
      const { host, agent } = createMemoryPair();
      return { host: recordTransport(host, { side: 'host', write: () => {} }), agent };
    },
  ],
  [
    'a WebSocket',
    10,
    async () => {
      const agent = createWebSocketServerTransport();
      const { url, close } = await loopback((socket) => agent.accept(socket));
      void agent.closed.then(close);
      return { host: createWebSocketClientTransport({ url, open: openSocket }), agent };
    },
  ],
  ['a server, by event streams', 10, acrossServer({ host: viewerByStream, agent: workerByStream })],
  ['a server, by WebSockets', 10, acrossServer({ host: viewerBySocket, agent: workerBySocket })],
  ['a server, the host by a WebSocket', 10, acrossServer({ host: viewerBySocket, agent: workerByStream })],
  ['a server, the agent by a WebSocket', 10, acrossServer({ host: viewerByStream, agent: workerBySocket })],
  ['sjp-shim, by an event stream', 3, byProcess(({ url }) => shimAt(url))],
  ['sjp-shim, by a WebSocket', 3, byProcess(({ url }) => shimAt(url.replace(/^http/, 'ws')))],
  ['sjp bridge, by an event stream', 3, byProcess(({ url }) => bridgeTo(`sse+${url}`))],
];

type Message = { readonly type: string; readonly [member: string]: unknown };

const IDS = ['r1', 'r2', 'r3'] as const;
const SIDES = ['host', 'agent'] as const;
type Side = (typeof SIDES)[number];
const REQUESTS = {
  host: { subtype: 'interrupt' },
  agent: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' },
};
// Answers are more common than cancels.
const ENDS = ['answer', 'answer', 'cancel'] as const;
// Longer sequences do not find more faults, because three ids are soon in use on both sides.
const STEPS = 16;

test.each(CONNECTIONS)('requests of both sides with the same ids arrive unchanged over %s', async (_, runs, open) => {
  for (let seed = 0; seed < runs; seed++) await runSteps(await open(), randomFrom(seed, 'ids'), seed);
});

/** Sends requests, answers and cancels in turn, and waits for each at the other side. */
async function runSteps(ends: Ends, random: () => number, seed: number): Promise<void> {
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const arrived = { host: messagesOf(ends.host), agent: messagesOf(ends.agent) };
  const open = new Set<string>();
  // A shim connects at the first line of its host.
  await send('host', { type: 'first' });
  for (let step = 0; step < STEPS; step++) {
    const [asker, id] = [oneOf(SIDES), oneOf(IDS)];
    const isOpen = open.delete(`${asker} ${id}`);
    if (!isOpen) open.add(`${asker} ${id}`);
    const end = isOpen ? oneOf(ENDS) : undefined;
    await send(end === 'answer' ? otherOf(asker) : asker, messageOf(asker, id, end));
  }
  // All other messages to the two sides have arrived before these messages.
  for (const side of SIDES) await send(side, { type: 'last' });
  await Promise.all(SIDES.map((side) => ends[side].close()));

  async function send(sender: Side, message: Message): Promise<void> {
    await ends[sender].send(encodeBatch({ ...message, uuid: crypto.randomUUID() }));
    expect((await arrived[otherOf(sender)].next()).value, `seed ${seed}`).toMatchObject(message);
  }
}

function messageOf(asker: Side, id: string, end: 'answer' | 'cancel' | undefined): Message {
  if (end === undefined) return { type: 'control_request', request_id: id, request: REQUESTS[asker] };
  if (end === 'cancel') return { type: 'control_cancel_request', request_id: id };
  const response = asker === 'agent' ? { behavior: 'allow', updatedInput: {} } : {};
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
}

function otherOf(side: Side): Side {
  return side === 'host' ? 'agent' : 'host';
}

async function* messagesOf({ incoming }: Transport): AsyncGenerator<object, void> {
  for await (const items of incoming) {
    for (const item of items) if (isOfPeer(item)) yield JSON.parse(item.text) as object;
  }
}

/** Servers and the shim add messages about the connection and about the session. */
function isOfPeer(item: Incoming): item is Extract<Incoming, { kind: 'message' }> {
  return item.kind === 'message' && /"(?:control_\w+|first|last)"/.test(item.text);
}
