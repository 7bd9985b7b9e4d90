/** Recorded behaviour of agents towards the published SDK: this host does the same, or better for its users. */
import { createLineDecoder, type WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import {
  defineTransport,
  incomingMessage,
  type TransportClose,
  type TransportControl,
  TransportError,
} from '@proto/core/transport';
import { expect, test, vi } from 'vitest';
import { rest } from './puppet-agent.test-support.ts';
import { type QueryOptions, query } from './query.ts';
import { recordedLines } from './recorded.test-support.ts';

/**
 * A query to a recorded agent: it repeats its recorded lines when the test asks for them, under the ids of this host. Its process is
 * visible only in the way the transport ends.
 */
function replay(name: string, options: Partial<QueryOptions> = {}) {
  const recorded = recordedLines(name);
  const initializeId = (JSON.parse(recorded[0]?.line ?? '{}') as WireMessage)['request_id'];
  const lines = recorded.filter(({ dir }) => dir === 'from-agent').map(({ line }) => line);
  const received: WireMessage[] = [];
  let control!: TransportControl;
  const transport = defineTransport('recorded', (given) => {
    control = given;
    given.opened();
    return {
      write(batch) {
        for (const { text } of batch.messages()) received.push(JSON.parse(text) as WireMessage);
      },
      end() {},
      close: () => given.closed(),
      abort: () => given.closed(),
    };
  });
  const session = query({ prompt: 'hi', transport, ...options });
  const untilReceived = (matches: (frame: WireMessage) => boolean) =>
    vi.waitFor(() => expect(received.some(matches)).toBe(true));
  return {
    session,
    received,
    untilReceived,
    /** Sends the next lines after the prompt has arrived: all remaining lines, or that many. */
    async say(count = lines.length) {
      await untilReceived(({ type }) => type === 'user');
      const ours = String(received[0]?.['request_id']);
      const next = lines.splice(0, count).map((line) => line.replace(`"${String(initializeId)}"`, `"${ours}"`));
      control.receive(next.map((line) => incomingMessage(line)));
    },
    answers: (requestId: string) =>
      received.flatMap(({ response }) =>
        isRecord(response) && response['request_id'] === requestId ? [response] : [],
      ),
    receive: (line: string) => control.receive([incomingMessage(line)]),
    endsOutput: () => control.ended(),
    exits(code: number, details: Partial<TransportClose> = {}) {
      const error = new TransportError('lost', `the agent exited with ${code}`, { status: code });
      const process = { exitCode: code, signal: null, stderrTail: 'last words', killed: false };
      const ending = { status: code, process, ...details };
      control.closed(code === 0 ? undefined : error, ending);
    },
  };
}

const kinds = (messages: readonly WireMessage[]) =>
  messages.map(({ type, subtype }) => (typeof subtype === 'string' ? `${type}/${subtype}` : type));

test('host-after-result: messages after the result are yielded to the end', async () => {
  const agent = replay('host-after-result');
  await agent.say();
  agent.exits(0);
  expect(kinds(await rest(agent.session))).toEqual([
    'result/success',
    'system/informational',
    'result/success',
    'system/informational',
  ]);
});

test('host-can-use-tool-duplicate-id: an open question is asked once, and the same id later is a new question', async () => {
  const canUseTool = vi.fn(() => null);
  const agent = replay('host-can-use-tool-duplicate-id', { canUseTool });
  await agent.say(3);
  await vi.waitFor(() => expect(agent.session.respond('same', { behavior: 'allow' })).toBe(true));
  await vi.waitFor(() => expect(agent.answers('same')).toHaveLength(1));
  expect(canUseTool).toHaveBeenCalledOnce();
  await agent.say(1);
  await vi.waitFor(() => expect(agent.session.respond('same', { behavior: 'allow' })).toBe(true));
  await vi.waitFor(() => expect(agent.answers('same')).toHaveLength(2));
});

test('host-can-use-tool-null: a question with the answer null stays open and is answered later', async () => {
  const agent = replay('host-can-use-tool-null', { canUseTool: () => null });
  await agent.say();
  await vi.waitFor(() => expect(agent.session.state).toMatchObject({ questions: 1, results: 1 }));
  expect(agent.session.respond('puppet-1', { behavior: 'deny', message: 'no' })).toBe(true);
  await vi.waitFor(() => expect(agent.answers('puppet-1')).toHaveLength(1));
});

test('host-can-use-tool-without-callback: the question is refused at once', async () => {
  const agent = replay('host-can-use-tool-without-callback');
  await agent.say();
  await vi.waitFor(() => expect(agent.answers('puppet-1')).toMatchObject([{ subtype: 'error' }]));
});

test('host-close-ignores-sigterm: close ends the iteration, whatever the agent does', async () => {
  const agent = replay('host-close-ignores-sigterm');
  await agent.say();
  const messages = rest(agent.session);
  await agent.session.close();
  expect(await messages).toEqual([]);
  expect(await agent.session.closed).toMatchObject({ by: 'local' });
});

test('host-control-during-init: a question before the answer to initialize is answered', async () => {
  const agent = replay('host-control-during-init', { canUseTool: () => ({ behavior: 'allow' }) });
  await agent.say(1);
  await vi.waitFor(() => expect(agent.answers('puppet-1')).toMatchObject([{ response: { behavior: 'allow' } }]));
  await agent.say();
  await agent.session.initialized;
});

test('host-error-result-exit-0: an error result is the outcome of its turn, and not an error of the link', async () => {
  const agent = replay('host-error-result-exit-0');
  await agent.say();
  agent.exits(0);
  expect(kinds(await rest(agent.session))).toEqual(['result/error_during_execution']);
  expect(agent.session.state.last).toMatchObject({ outcome: 'error', result: { errors: ['e1'] } });
});

test('host-error-result-exit-0 with exit code 1: the result has already reported the error', async () => {
  const agent = replay('host-error-result-exit-0');
  await agent.say();
  agent.exits(1);
  expect(kinds(await rest(agent.session))).toEqual(['result/error_during_execution']);
  expect(await agent.session.closed).toMatchObject({ process: { exitCode: 1, stderrTail: 'last words' } });
});

test('host-exit-0-no-result: a prompt without a result is an error', async () => {
  const agent = replay('host-exit-0-no-result');
  await agent.say();
  agent.exits(0);
  await expect(rest(agent.session)).rejects.toMatchObject({ code: 'lost', message: /1 prompts have no result/ });
});

test('host-exit-1-no-result: the error has the exit code, and closed has the end of stderr', async () => {
  const agent = replay('host-exit-1-no-result');
  await agent.say();
  agent.exits(1);
  await expect(rest(agent.session)).rejects.toMatchObject({ code: 'lost', status: 1 });
  expect(await agent.session.closed).toMatchObject({
    process: { exitCode: 1, signal: null, stderrTail: 'last words' },
  });
});

test('an exit with code 1 after a success is an error', async () => {
  const agent = replay('host-after-result');
  await agent.say();
  agent.exits(1);
  await expect(rest(agent.session)).rejects.toMatchObject({ status: 1 });
});

test('host-exit-before-init: the handshake fails as soon as the process exits', async () => {
  const agent = replay('host-exit-before-init');
  await agent.say();
  agent.exits(1);
  const error = await agent.session.initialized.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'lost', status: 1 });
  expect(agent.session.signal.reason).toBe(error);
  await expect(rest(agent.session)).rejects.toBe(error);
});

test('host-hook-unknown-id: the call is refused at once', async () => {
  const agent = replay('host-hook-unknown-id', { hooks: { PreToolUse: [{ hooks: [() => ({})] }] } });
  await agent.say();
  await vi.waitFor(() =>
    expect(agent.answers('puppet-1')).toMatchObject([{ error: 'No hook callback found for ID: hook_99' }]),
  );
});

test('host-init-error: initialized rejects with the refusal, and the session goes on', async () => {
  const agent = replay('host-init-error');
  await agent.say();
  await expect(agent.session.initialized).rejects.toMatchObject({ name: 'ControlError', message: 'no thanks' });
  agent.exits(1);
  await expect(rest(agent.session)).rejects.toMatchObject({ status: 1 });
});

test('host-init-never: the handshake has a time limit', async () => {
  const agent = replay('host-init-never', { initializeTimeoutMs: 10 });
  await agent.say();
  await expect(agent.session.initialized).rejects.toMatchObject({ code: 'timeout' });
});

test('host-json-no-message: JSON that is not a message is not yielded', async () => {
  const onMalformed = vi.fn();
  const agent = replay('host-json-no-message', { onMalformed });
  await agent.say();
  agent.exits(0);
  expect(kinds(await rest(agent.session))).toEqual(['result/success']);
  expect(onMalformed.mock.calls.map(([{ excerpt }]) => excerpt)).toEqual(['42', '"s"', '[1]', '{}', '{"type":5}']);
});

test('host-json-null: a line with null does not end the session', async () => {
  const agent = replay('host-json-null');
  await agent.say();
  agent.exits(0);
  expect(kinds(await rest(agent.session))).toEqual(['result/success']);
});

test('host-large-line: a line of 20 MB is yielded as a message', async () => {
  const agent = replay('host-large-line');
  await agent.say(1);
  const text = 'x'.repeat(20_000_000);
  const large = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } };
  agent.receive(JSON.stringify(large));
  await agent.say();
  agent.exits(0);
  const messages = await rest(agent.session);
  expect(messages[0]).toEqual(large);
});

test('host-last-line-unterminated: the last line counts without a line end', async () => {
  const agent = replay('host-last-line-unterminated');
  await agent.say();
  const decoder = createLineDecoder();
  const bytes = new TextEncoder().encode('{"type":"result","subtype":"success"}');
  for (const line of [...decoder.push(bytes), ...decoder.end()]) if (typeof line === 'string') agent.receive(line);
  agent.exits(0);
  expect(kinds(await rest(agent.session))).toEqual(['result/success']);
});

test('host-mcp-unknown-server: the message is refused at once', async () => {
  const agent = replay('host-mcp-unknown-server');
  await agent.say();
  await vi.waitFor(() =>
    expect(agent.answers('puppet-1')).toMatchObject([{ error: 'SDK MCP server not found: nobody' }]),
  );
});

test('host-never-exits: an agent that has finished and does not exit is closed with success', async () => {
  const agent = replay('host-never-exits', { exitGraceMs: 10 });
  await agent.say();
  expect(kinds(await rest(agent.session))).toEqual(['result/success']);
  expect(await agent.session.closed).toMatchObject({ by: 'local' });
});

test('host-stdout-end-no-exit: the end of the output ends the iteration, whether the process exits or not', async () => {
  const agent = replay('host-stdout-end-no-exit');
  await agent.say();
  agent.endsOutput();
  expect(kinds(await rest(agent.session))).toEqual(['result/success']);
  expect(await agent.session.closed).not.toHaveProperty('error');
});

test('host-unknown-subtype: the request is refused at once, with a code', async () => {
  const agent = replay('host-unknown-subtype');
  await agent.say();
  await vi.waitFor(() => expect(agent.answers('puppet-1')).toMatchObject([{ error_code: 'unsupported_request' }]));
});
