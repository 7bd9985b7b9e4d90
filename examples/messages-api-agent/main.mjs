// Drives the agent of agent.mjs with the published SDK, against a Messages API that follows a script: no model, no key, no network.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (path) => ({ type: 'tool_use', name: 'Read', input: { path } });

const api = createMessagesApi([
  // The first turn: two tools, one of which is refused, and then the answer.
  { content: ['I look ', 'into it.', read('package.json'), read('/etc/passwd')] },
  { content: ['The name is ', 'right.'] },
  // The second turn is interrupted while the model streams text, after a tool call that has no result yet.
  { content: [read('package.json'), 'Once upon ', { wait: new Promise(() => {}) }] },
  // In the third turn the API is overloaded, and the agent tries again.
  { status: 529, headers: { 'retry-after-ms': '1' } },
  'Here I am.',
  // In the fourth turn the API refuses the request permanently.
  { status: 400, error: { message: 'so not' } },
]);
const server = await serveOnLoopback((request) => api.fetch(request));

const waiting = [];
let wake = () => {};
function say(text) {
  waiting.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' });
  wake();
}
async function* prompts() {
  for (;;) {
    while (waiting.length > 0) yield waiting.shift();
    await new Promise((resolve) => (wake = resolve));
  }
}

const asked = [];
const session = query({
  prompt: prompts(),
  options: {
    pathToClaudeCodeExecutable: here('agent.mjs'),
    cwd: here('.'),
    env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.url },
    includePartialMessages: true,
    async canUseTool(name, input) {
      const path = String(input.path);
      asked.push(`${name} ${path}`);
      return path.startsWith('/')
        ? { behavior: 'deny', message: 'outside' }
        : { behavior: 'allow', updatedInput: { path } };
    },
  },
});

/** Sends a prompt, and returns the messages of the agent up to its result. Calls `onText` with each piece of text. */
async function turn(text, onText = () => {}) {
  const seen = [];
  say(text);
  for (;;) {
    const { value: message } = await session.next();
    seen.push(message);
    if (message.type === 'stream_event' && message.event.delta?.type === 'text_delta') onText(message.event.delta.text);
    if (message.type === 'result') return { seen, result: message };
  }
}

let streamed = '';
const first = await turn('What is the name?', (piece) => (streamed += piece));
assert.equal(first.result.result, 'The name is right.');
assert.equal(streamed, 'I look into it.The name is right.');
assert.deepEqual(asked, ['Read package.json', 'Read /etc/passwd']);
const results = api.requests[1].body.messages.slice(-2).flatMap(({ content }) => content);
assert.match(results[0].content, /"name": "@proto\/example-messages-api-agent"/);
assert.deepEqual([results[1].content, results[1].is_error], ['outside', true]);

const second = await turn('Write a story', () => void session.interrupt());
assert.equal(second.result.terminal_reason, 'aborted_streaming');
const { signal } = api.requests[2];
if (!signal.aborted) await once(signal, 'abort');
const cut = second.seen.find(({ aborted }) => aborted);
assert.equal(cut.message.content[0].text, 'Once upon ');
assert.equal(asked.length, 2);

const third = await turn('Are you there?');
assert.equal(third.result.result, 'Here I am.');

const fourth = await turn('Really?');
assert.equal(fourth.result.is_error, true);
assert.match(fourth.result.errors[0], /so not/);

session.close();
await server.close();
assert.equal(api.requests.length, 6);
console.log('messages-api-agent: tools asked for, text streamed, a turn interrupted, errors reported');
