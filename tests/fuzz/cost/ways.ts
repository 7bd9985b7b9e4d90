import { type RawSocket, openSocket } from '../server/raw-socket.ts';
import { sendRequest } from '../server/send-request.ts';
import { framesOf, piecesOf, type Cut } from './cuts.ts';
import type { Run } from './load.ts';
import type { Sender, Stage } from './stage.ts';

/** An endpoint and a medium by which text reaches a server. */
export interface Way {
  readonly senders: readonly Sender[];
  readonly medium: 'body' | 'line';
  /** The member that holds the list of a body. */
  readonly list: string;
  /** Opens the connections, and returns a function that sends a text. */
  prepare(stage: Stage, sender: Sender, text: string, cut: Cut): Promise<Run>;
}

const CLIENTS: readonly Sender[] = ['nobody', 'stranger', 'viewer', 'approver', 'driver', 'worker'];
const WORKERS: readonly Sender[] = ['worker', 'superseded worker', 'driver', 'nobody'];

/** All endpoints that take a body or frames. */
export const WAYS = {
  'POST events': posting('/events', CLIENTS),
  'POST a session': posting('/v1/code/sessions', CLIENTS),
  'POST bridge': posting('/bridge', ['viewer', 'driver']),
  'POST tickets': posting('/tickets', ['viewer', 'driver']),
  'POST an unknown endpoint': posting('/nothing', ['nobody', 'viewer']),
  'PUT worker': posting('/worker', WORKERS, { method: 'PUT' }),
  'POST worker/register': posting('/worker/register', WORKERS),
  'POST worker/heartbeat': posting('/worker/heartbeat', WORKERS),
  'POST worker/events': posting('/worker/events', WORKERS),
  'POST worker/events with 50 viewers': posting('/worker/events', ['worker'], { viewers: 50 }),
  'POST worker/events/delivery': posting('/worker/events/delivery', WORKERS, { list: 'updates' }),
  'POST worker/internal-events': posting('/worker/internal-events', WORKERS),
  'POST of a hybrid worker': posting('hybrid', WORKERS),
  WebSocket: saying('viewer', ['viewer', 'approver', 'driver']),
  'WebSocket sjp.v1': saying('viewer', ['viewer', 'approver', 'driver'], { protocol: 'sjp.v1' }),
  'WebSocket sjp.v1 without a greeting': saying('viewer', ['viewer', 'driver'], { protocol: 'sjp.v1', greets: false }),
  'WebSocket before it says who it is': saying('viewer', ['nobody'], { greets: false }),
  'WebSocket of a worker': saying('worker', ['worker', 'superseded worker', 'nobody', 'driver']),
  'WebSocket sjp.v1 of a worker': saying('worker', ['worker'], { protocol: 'sjp.v1' }),
} as const satisfies Record<string, Way>;

interface PostingOptions {
  readonly method?: string;
  readonly list?: string;
  /** The viewers that read while the text is sent. */
  readonly viewers?: number;
}

function posting(path: string, senders: readonly Sender[], options: PostingOptions = {}): Way {
  const { method = 'POST', list = 'events', viewers = 0 } = options;
  return {
    senders,
    medium: 'body',
    list,
    async prepare(stage, sender, text, cut) {
      const { session, lease } = stage;
      const hybrid = `/v1/session_ingress/session/${session.id}/events`;
      const url = `${session.server.url}${path === 'hybrid' ? hybrid : path.startsWith('/v1/') ? path : session.path + path}`;
      const body = piecesOf(Buffer.from(text.replace('EPOCH', `"worker_epoch":${lease.epoch},`)), cut);
      const reading = await Promise.all(Array.from({ length: viewers }, () => view(stage)));
      return {
        bytes: bytesOf(body),
        connections: viewers,
        async send(signal) {
          await sendRequest(url, { method, token: stage.token(sender), body, chunked: cut !== 'whole', signal });
        },
        end: () => reading.forEach((socket) => socket.cut()),
      };
    },
  };
}

function saying(
  side: 'viewer' | 'worker',
  senders: readonly Sender[],
  { protocol, greets = true }: { readonly protocol?: string; readonly greets?: boolean } = {},
): Way {
  return {
    senders,
    medium: 'line',
    list: 'events',
    async prepare(stage, sender, text, cut) {
      const frames = framesOf(text, cut);
      const token = stage.token(sender);
      const socket = await openSocket(stage.session.sockets[side], { token, protocol });
      if (protocol !== undefined && greets) await socket.say('{"ack":0,"stream":"fuzz","from":1}\n');
      return {
        bytes: bytesOf(frames),
        async send(signal) {
          const cut = () => socket.cut();
          signal.addEventListener('abort', cut);
          for (const frame of frames) if (socket.code === undefined) await socket.write(frame);
          await socket.proved();
          signal.removeEventListener('abort', cut);
        },
        end: () => socket.cut(),
      };
    },
  };
}

function view({ session }: Stage): Promise<RawSocket> {
  return openSocket(session.sockets.viewer, { token: session.token('viewer') });
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
