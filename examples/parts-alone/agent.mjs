// An agent without a session and without framing: it uses the same two parts at its end of a message port.
import { parentPort } from 'node:worker_threads';
import { createOutboundStream, createPendingRequests } from '@proto/core';

const outbound = createOutboundStream();
const pending = createPendingRequests({ send: (frame) => outbound.enqueue(frame) });

async function run(prompt) {
  outbound.enqueue({ type: 'stream_event', event: { type: 'message_start' } });
  // The question arrives after the earlier messages, because both go through one stream.
  const { behavior } = await pending.request({
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: prompt },
  });
  outbound.enqueue({ type: 'result', subtype: 'success', result: `${prompt}: ${behavior}` });
  outbound.end();
}

parentPort.on('message', (text) => {
  const frame = JSON.parse(text);
  if (frame.type === 'control_response') pending.settle(frame);
  if (frame.type === 'user') void run(frame.message.content);
  if (frame.type === 'control_request') {
    const response = { subtype: 'success', request_id: frame.request_id, response: { commands: [] } };
    outbound.enqueue({ type: 'control_response', response });
  }
});
for await (const { text } of outbound) parentPort.postMessage(text);
parentPort.close();
