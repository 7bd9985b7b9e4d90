/**
 * Replays the requests of the published agent as the worker of a session over an event stream. Version 2.1.112 was recorded in the
 * scenario of `pnpm interop:claude`, in the order in which the requests reached our ingress, with long texts shortened.
 */
import { readFileSync } from 'node:fs';
import { EventSource } from 'eventsource';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { credentials, newSession, openViewer, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

type Entry =
  | { readonly from: 'viewer' | 'worker'; readonly method: string; readonly path: string; readonly body?: object }
  | { readonly to: 'worker'; readonly event_id: string }
  | { readonly to: 'viewer'; readonly event_type: string };

const recording = readFileSync(new URL('recorded-worker.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Entry);

/** Returns the durable events that a stream has delivered so far. */
function follow(url: string, token: string) {
  const events: { readonly event_id: string; readonly [member: string]: unknown }[] = [];
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  });
  source.addEventListener('client_event', ({ data }) => events.push(JSON.parse(data as string) as (typeof events)[0]));
  onTestFinished(() => source.close());
  return events;
}

verifies(
  'COMMAND-2',
  'the ingress serves a recorded session of the published agent, and the published viewer reads it',
  async () => {
    const server = await startIngress();
    onTestFinished(() => server.close());
    const id = await newSession(server.url);
    const { worker_jwt: token } = await credentials(server.url, id);
    const session = `${server.url}/v1/code/sessions/${id}`;
    const seen = follow(`${session}/events/stream`, TOKENS.viewer);
    // The recorded worker answers.
    const viewer = openViewer(server.url, id, { canUseTool: () => new Promise(() => {}) });
    let delivered: ReturnType<typeof follow> = [];
    for (const entry of recording) {
      if ('to' in entry) {
        if ('event_id' in entry) await until(() => delivered.some(({ event_id }) => event_id === entry.event_id));
        continue;
      }
      const { from, method, path, body } = entry;
      if (path === '/worker/events/stream') {
        delivered = follow(session + path, token);
        continue;
      }
      const headers = {
        authorization: `Bearer ${from === 'worker' ? token : TOKENS.driver}`,
        'content-type': 'application/json',
      };
      const text = body && JSON.stringify(body).replaceAll('SESSION', id);
      const answer = await fetch(session + path, { method, headers, ...(text !== undefined && { body: text }) });
      expect([method, path, answer.status, await answer.json()]).toEqual([method, path, 200, expect.anything()]);
    }
    const results = () =>
      viewer.messages.flatMap(({ type, result, subtype }) => (type === 'result' ? [result ?? subtype] : []));
    await until(() => results().length === 4);
    expect(results()).toEqual(['Hello, world: ü 😀', 'Done.', 'error_during_execution', 'Still here.']);
    const recorded = recording.flatMap((entry) => ('event_type' in entry ? entry.event_type : []));
    const types = () => seen.flatMap(({ source, event_type: type }) => (source === 'worker' ? [type] : []));
    await until(() => types().length === recorded.length);
    expect(types()).toEqual(recorded);
    expect(seen.map(({ sequence_num: place }) => place)).toEqual(seen.map((_, index) => index + 1));
  },
);
