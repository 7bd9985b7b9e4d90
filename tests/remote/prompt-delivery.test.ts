/** The delivery states of a prompt, which an ingress reports to our host; the worker is the published bridge. */
import { createHostSession } from '@proto/host';
import { createSseTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { attachWorker, newSession, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

verifies(
  ['STATE-3', 'STATE-4'],
  'each delivery state of a prompt is reported once, although the stream breaks in between',
  async () => {
    const { url, close } = await startIngress();
    onTestFinished(close);
    const session = await newSession(url);
    const { handle, inbound } = await attachWorker(url, session);
    const inner = undiciFetch();
    let streams = new AbortController();
    const states: string[] = [];
    const host = createHostSession(
      createSseTransport({
        url: `${url}/v1/code/sessions/${session}`,
        credential: () => TOKENS.driver,
        baseMs: 20,
        fetch: (address, request) =>
          inner(address, { ...request, signal: AbortSignal.any([request.signal, streams.signal]) }),
      }),
      { onPrompt: (_, state) => states.push(state) },
    );
    onTestFinished(() => host.abort());
    const sent = host.prompt('go');
    await until(() => inbound.some(({ uuid }) => uuid === sent.uuid));
    handle.reportDelivery(sent.uuid, 'processing');
    await until(() => sent.state === 'started');
    const broken = streams;
    streams = new AbortController();
    broken.abort();
    handle.reportDelivery(sent.uuid, 'processed');
    const result = { type: 'result', subtype: 'success', is_error: false, result: '', user_message_uuid: sent.uuid };
    handle.write({ ...result, uuid: crypto.randomUUID() } as unknown as Parameters<typeof handle.write>[0]);
    expect(await sent.outcome).toBe('done');
    expect(states).toEqual(['accepted', 'delivered', 'started', 'done']);
  },
  { timeout: 30_000 },
);
