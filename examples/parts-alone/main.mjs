// Uses two parts of the core without a session: the outbound stream puts all messages of this host into one order, and the pending
// requests match answers to questions. Any medium that carries text can join the two sides; here it is the message port of a worker.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createOutboundStream, createPendingRequests } from '@proto/core';

const agent = new Worker(new URL('agent.mjs', import.meta.url));
const outbound = createOutboundStream();
const pending = createPendingRequests({ send: (frame) => outbound.enqueue(frame) });
const said = [];

agent.on('message', (text) => {
  const frame = JSON.parse(text);
  said.push(frame.type);
  if (frame.type === 'control_response') pending.settle(frame);
  if (frame.type === 'control_request') {
    const response = { subtype: 'success', request_id: frame.request_id, response: { behavior: 'allow' } };
    outbound.enqueue({ type: 'control_response', response });
  }
  if (frame.type === 'result') {
    assert.equal(frame.result, 'list the files: allow');
    outbound.end();
  }
});

async function write() {
  for await (const { text } of outbound) agent.postMessage(text);
}

const finished = Promise.all([write(), once(agent, 'exit')]);
const capabilities = await pending.request({ subtype: 'initialize' }, { timeoutMs: 10_000 });
outbound.enqueue({ type: 'user', message: { role: 'user', content: 'list the files' } });
const aborted = pending.request({ subtype: 'interrupt' }, { signal: AbortSignal.abort() });
await assert.rejects(aborted, { name: 'AbortError' });
await finished;

assert.deepEqual(capabilities, { commands: [] });
assert.deepEqual(said, ['control_response', 'stream_event', 'control_request', 'result']);
pending.close(new Error('the agent ended'));
await assert.rejects(pending.request({ subtype: 'interrupt' }), { code: 'closed' });
console.log('parts-alone: the agent was asked, asked back, and answered');
