import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { SessionAddress } from '../cases/session-server.ts';
import { startProcess } from '../server-child.ts';
import type { ClusterSession } from './cluster.ts';
import { workerBodies } from './posts.ts';

/** A session, its worker, and a viewer at the event stream. */
export interface WatchedSession {
  /** Posts an event of the worker, and fulfils when the viewer has received it. */
  pass(): Promise<void>;
  close(): void;
}

/** Where a session is written and read. */
export interface WatchedAddress {
  /** The address of the server that the viewer reads from. */
  readonly viewAt: string;
  /** The addresses of the servers that get the events, in turn. */
  readonly postTo: readonly string[];
  /** The token of a driver. */
  readonly driver: string;
  readonly session: ClusterSession;
  /** The maximum number of events that will be sent. */
  readonly events: number;
}

/** Starts a server with a file store in a separate process. `events` is the maximum number of events that will be sent. */
export async function startWatchedSession(events: number): Promise<WatchedSession> {
  const { child, message } = await startProcess<SessionAddress>('session-server', 'file');
  const { port, session: path, driver, worker } = message;
  const origin = `http://127.0.0.1:${port}`;
  const watched = await watchSession({ viewAt: origin, postTo: [origin], driver, session: { path, worker }, events });
  return {
    pass: watched.pass,
    close() {
      watched.close();
      child.disconnect();
    },
  };
}

/** Lets a viewer read a session. */
export async function watchSession(address: WatchedAddress): Promise<WatchedSession> {
  const { viewAt, postTo, driver, session, events } = address;
  const [posts, streams] = [new Agent({ connections: 1 }), new Agent()];
  const bodies = workerBodies(events, 1);
  const { body } = await request(`${viewAt}${session.path}/events/stream`, {
    dispatcher: streams,
    headers: { authorization: `Bearer ${driver}` },
    bodyTimeout: 0,
  });
  let text = '';
  let arrived = () => {};
  let seen = 0;
  body.on('data', (chunk: Buffer) => {
    text += chunk;
    const ends = text.split('\n\n');
    text = ends.pop() as string;
    seen += ends.filter((event) => /^id:/m.test(event)).length;
    arrived();
  });
  body.on('error', () => {});
  await once(body, 'data');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${session.worker}` };
  let passed = 0;
  return {
    async pass() {
      const wanted = seen + 1;
      const reached = new Promise<void>((resolve) => {
        arrived = () => seen >= wanted && resolve();
      });
      const path = `${postTo[passed % postTo.length]}${session.path}/worker/events`;
      const answer = await request(path, {
        dispatcher: posts,
        method: 'POST',
        headers,
        body: bodies[passed++] as string,
      });
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
      await Promise.all([answer.body.dump(), reached]);
    },
    close() {
      void posts.destroy();
      void streams.destroy();
    },
  };
}
