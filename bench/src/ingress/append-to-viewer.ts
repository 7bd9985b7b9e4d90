import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { SessionAddress } from '../cases/session-server.ts';
import { startProcess } from '../server-child.ts';
import { workerBodies } from './posts.ts';

/** A session in a file store, its worker, and a viewer at the event stream. */
export interface WatchedSession {
  /** Posts an event of the worker, and fulfils when the viewer has it. */
  pass(): Promise<void>;
  close(): void;
}

/** Starts a server with a file store in a process of its own. `events` is the most that will be passed. */
export async function startWatchedSession(events: number): Promise<WatchedSession> {
  const { child, told } = await startProcess<SessionAddress>('session-server', 'file');
  const origin = `http://127.0.0.1:${told.port}`;
  const [posts, streams] = [new Agent({ connections: 1 }), new Agent()];
  const bodies = workerBodies(events, 1);
  const { body } = await request(`${origin}${told.session}/events/stream`, {
    dispatcher: streams,
    headers: { authorization: `Bearer ${told.driver}` },
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
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${told.worker}` };
  let passed = 0;
  return {
    async pass() {
      const wanted = seen + 1;
      const reached = new Promise<void>((resolve) => {
        arrived = () => seen >= wanted && resolve();
      });
      const path = `${origin}${told.session}/worker/events`;
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
      child.disconnect();
    },
  };
}
