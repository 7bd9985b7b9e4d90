import { openSocket } from '../server/raw-socket.ts';
import { sendRequest } from '../server/send-request.ts';
import type { FuzzServer } from '../server/start-server.ts';
import { type Load, MOST_BYTES } from './load.ts';
import { repeat, requester } from './repeat.ts';
import { epochOf } from './request-loads.ts';
import { setStage, type Stage } from './stage.ts';

const BATCH = 500;
const BYTES_EACH = 300;

/** Loads whose cost grows with the state that the server keeps of earlier requests, and with the connected clients. */
export const STATE_LOADS: readonly Load[] = [
  {
    ...counted('worker: marks of delivery, one by one, of as many prompts'),
    async prepare(server, size) {
      const stage = await setStage(server);
      await sendPrompts(stage, size);
      const { request, close } = requester(server.url);
      return {
        bytes: size * BYTES_EACH,
        send: (signal) =>
          repeat(size, signal, (index) => {
            const body = epochOf(stage, `{"updates":[{"event_id":"prompt-${index}","status":"received"}]}`);
            return request(`${stage.session.path}/worker/events/delivery`, { token: stage.lease.token, body });
          }),
        end: close,
      };
    },
  },
  {
    ...counted('worker: acknowledgements, one by one, of as many prompts'),
    async prepare(server, size) {
      const stage = await setStage(server);
      await sendPrompts(stage, size);
      const socket = await openSocket(stage.session.sockets.worker, { token: stage.lease.token, protocol: 'sjp.v1' });
      await socket.say('{"ack":0,"stream":"fuzz","from":1}\n');
      await read(() => socket.messages.length >= size);
      return {
        bytes: size * 12,
        async send() {
          // The number of the first prompt follows the number of the worker's permission request.
          for (let index = 0; index < size; index++) await socket.say(`{"ack":${index + 2}}\n`);
          await socket.proved();
        },
        end: () => socket.cut(),
      };
    },
  },
  {
    ...counted('worker: a transcript, one page after the other'),
    async prepare(server, size) {
      const stage = await setStage(server);
      const { token, epoch } = stage.lease;
      for (let first = 0; first < size; first += BATCH) {
        const events = idsOf(first, size).map((uuid) => ({ payload: { type: 'user', uuid } }));
        const body = JSON.stringify({ worker_epoch: epoch, events });
        await sendRequest(`${server.url}${stage.session.path}/worker/internal-events`, { token, body });
      }
      const { request, close } = requester(server.url);
      return {
        bytes: size * BYTES_EACH,
        async send(signal) {
          const rows = `${stage.session.path}/worker/internal-events?limit=50`;
          let cursor: string | undefined;
          do {
            const page = await request(`${rows}${cursor === undefined ? '' : `&cursor=${cursor}`}`, {
              method: 'GET',
              token,
            });
            cursor = (JSON.parse(page.text || '{}') as { next_cursor?: string }).next_cursor;
          } while (cursor !== undefined && !signal.aborted);
        },
        end: close,
      };
    },
  },
  {
    ...counted('viewer: event streams that are opened and closed'),
    async prepare(server, size) {
      const stage = await setStage(server);
      const token = stage.token('viewer');
      return {
        bytes: size * BYTES_EACH,
        send: (signal) =>
          repeat(size, signal, () =>
            sendRequest(`${server.url}${stage.session.path}/events/stream`, {
              method: 'GET',
              token,
              signal: AbortSignal.timeout(30),
            }),
          ),
        end: () => {},
      };
    },
    most: 2000,
  },
  {
    ...counted('viewer: WebSockets that are opened and closed'),
    async prepare(server, size) {
      const stage = await setStage(server);
      const token = stage.token('viewer');
      return {
        bytes: size * BYTES_EACH,
        send: (signal) =>
          repeat(size, signal, async () => {
            const socket = await openSocket(stage.session.sockets.viewer, { token });
            socket.cut();
            await socket.closed;
          }),
        end: () => {},
      };
    },
    most: 4000,
  },
  {
    ...counted('viewer: WebSockets that stay open, over many sessions'),
    async prepare(server, size) {
      const stages = await Promise.all(Array.from({ length: Math.ceil(size / 90) }, () => setStage(server)));
      const open: Awaited<ReturnType<typeof openSocket>>[] = [];
      return {
        bytes: size * BYTES_EACH,
        connections: size,
        send: (signal) =>
          repeat(size, signal, async (index) => {
            const { session } = stages[index % stages.length] as Stage;
            open.push(await openSocket(session.sockets.viewer, { token: session.token('viewer') }));
          }),
        end: () => open.forEach((socket) => socket.cut()),
      };
    },
    most: 2000,
  },
  {
    name: 'driver: a catch-up of what was sent',
    isBytes: true,
    least: 4096,
    most: MOST_BYTES,
    async prepare(server: FuzzServer, size: number) {
      const stage = await setStage(server);
      const { session } = stage;
      const piece = 16 * 1024;
      const event = `{"payload":{"type":"user","x":"${'x'.repeat(piece)}"}}`;
      for (let sent = 0; sent < size; sent += 16 * piece) {
        await session.request('/events', {
          token: session.token('driver'),
          body: `{"events":[${Array(16).fill(event).join()}]}`,
        });
      }
      return {
        bytes: size,
        async send() {
          const last = Math.ceil(size / piece);
          const socket = await openSocket(session.sockets.viewer, { token: session.token('viewer') });
          await read(() => socket.messages.length >= last || socket.code !== undefined);
          socket.cut();
        },
        end: () => {},
      };
    },
  },
];

function counted(name: string): Omit<Load, 'prepare'> {
  return { name, isBytes: false, least: 8, most: 6000 };
}

async function sendPrompts({ session }: Stage, count: number): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const events = idsOf(first, count).map((uuid) => ({ payload: { type: 'user', uuid } }));
    await session.request('/events', { token: session.token('driver'), body: JSON.stringify({ events }) });
  }
}

function idsOf(first: number, end: number): readonly string[] {
  return Array.from({ length: Math.min(BATCH, end - first) }, (_, index) => `prompt-${first + index}`);
}

async function read(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
}
