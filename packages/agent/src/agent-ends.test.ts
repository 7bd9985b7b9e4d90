import { createSession } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { agentPeer, assistant, kinds, untilAborted, user } from './agent-peer.test-support.ts';
import { runAgent } from './agent-session.ts';
import type { RunTurn, Turn } from './turns/turn.ts';

const STREAM_CLOSED = 'Tool permission stream closed before response received';

describe('when the input ends', () => {
  verifies('CALL-10', 'requests to the host fail, a permission with a known text, and the turn goes on', async () => {
    const failures: string[] = [];
    const note = (error: Error) => void failures.push(error.message);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const runTurn: RunTurn = async function* (turn) {
      const permission = turn.canUseTool('Bash', {}, 'T1');
      const others = [
        turn.request<unknown>({ subtype: 'request_user_dialog' }),
        turn.request<unknown>({ subtype: 'elicitation' }),
      ];
      asked();
      await Promise.all(others.map((other) => other.catch(note)));
      await turn.request<unknown>({ subtype: 'elicitation' }).catch(note);
      const decision = await permission;
      yield assistant(decision.behavior === 'deny' ? decision.message : 'allowed');
    };
    const never = () => new Promise(() => {});
    const handlers = { can_use_tool: never, request_user_dialog: never, elicitation: never };
    const { session, until, outcome } = agentPeer({ runTurn, permissions: { promptTool: 'stdio' } }, handlers);
    void session.emit(user('go'));
    await isAsked;
    // The handlers of the host are still running.
    void session.transport.end();
    const messages = await until(() => false);
    await expect(outcome).resolves.toEqual({ isError: false });
    const ended = 'the other side ended its output before it answered';
    expect(failures).toEqual([ended, ended, 'Stream closed']);
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      result: `Tool permission request failed: AbortError: ${STREAM_CLOSED}`,
    });
  });

  verifies('CALL-10', 'the last message is still answered', async () => {
    const { host, agent } = createMemoryPair();
    const session = createSession(host);
    const outcome = runAgent(agent, {
      runTurn: async function* () {
        yield assistant('answered');
      },
    });
    void session.emit(user('last'));
    await session.end();
    const said: WireMessage[] = [];
    for await (const item of session) if (item.kind === 'message') said.push(item.message);
    expect(said.at(-1)).toMatchObject({ result: 'answered' });
    await outcome;
  });

  test('a hook that has not answered counts as a refusal', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const runTurn: RunTurn = async function* (turn) {
      yield assistant((await turn.canUseTool('Bash', {}, 'T1')).behavior);
    };
    const hook_callback = () => {
      asked();
      return new Promise(() => {});
    };
    const { session, until } = agentPeer(
      { runTurn, permissions: { check: () => ({ behavior: 'allow' }) } },
      { hook_callback },
    );
    await session.request({ subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } });
    void session.emit(user('go'));
    await isAsked;
    void session.transport.end();
    expect((await until(() => false)).at(-1)).toMatchObject({ result: 'deny' });
  });
});

describe('a turn that has ended', () => {
  verifies(
    'AGENT-8',
    'takes no prompts and asks no questions, and its open calls do not affect the next turn',
    async () => {
      const turns: Turn[] = [];
      const runTurn: RunTurn = async function* (turn) {
        turns.push(turn);
        // Nobody awaits this call.
        void turn.canUseTool('Bash', {}, 'T1');
        if (turns.length === 1) yield assistant('over');
        else yield* untilAborted(turn);
      };
      const never = () => new Promise(() => {});
      const options = { runTurn, permissions: { promptTool: 'stdio' } };
      const { session, turn, until, rest, seen } = agentPeer(options, { can_use_tool: never });
      void session.emit(user('first'));
      await turn();
      void session.emit(user('second'));
      void session.emit(user('third', { uuid: '00000000-0000-4000-8000-000000000003' }));
      await until(({ type }) => type === 'assistant');
      const [first] = turns;
      expect(await first?.takeQueued()).toEqual([]);
      expect(await first?.canUseTool('Bash', {}, 'T2')).toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
      await expect(first?.request<unknown>({ subtype: 'elicitation' })).rejects.toThrow();
      expect(first?.signal.aborted).toBe(false);
      await session.request({ subtype: 'interrupt', cancel_queued: true });
      const results = [...seen, ...(await rest())].filter(({ type }) => type === 'result');
      expect(results).toMatchObject([
        { result: 'over', permission_denials: [] },
        { terminal_reason: expect.stringMatching('aborted'), permission_denials: [{ tool_use_id: 'T1' }] },
      ]);
    },
  );
});

describe('an interrupt that arrives before its turn', () => {
  verifies('HOST-19', 'applies to the prompt that it came with, even if that prompt waits for initialize', async () => {
    const { host, agent } = createMemoryPair();
    const outcome = runAgent(agent, { runTurn: untilAborted });
    // The host never answers the handshake with its server.
    const session = createSession(host, { handlers: { mcp_message: () => new Promise(() => {}) } });
    const request = (request_id: string, members: object) => ({
      type: 'control_request',
      request_id,
      request: members,
    });
    const block = encodeBatch(
      request('1', { subtype: 'initialize', sdkMcpServers: ['slow'] }),
      user('go'),
      request('2', { subtype: 'interrupt' }),
    );
    await host.send(block);
    const said: WireMessage[] = [];
    for await (const item of session) {
      if (item.kind !== 'message') continue;
      said.push(item.message);
      if (item.message.type === 'result') break;
    }
    expect(kinds(said)).toEqual(['system/init', 'user', 'result/error_during_execution']);
    await outcome.catch(() => {});
  });
});

verifies('QUEUE-10', 'a turn does not wait for a slow reader: its messages are queued and sent in order', async () => {
  const { host, agent, hold, release } = createMemoryPair();
  let said = 0;
  let finished = () => {};
  const isFinished = new Promise<void>((resolve) => (finished = resolve));
  const outcome = runAgent(agent, {
    async *runTurn() {
      hold();
      for (said = 0; said < 100; said++) yield assistant(String(said));
      finished();
    },
  });
  const session = createSession(host);
  void session.emit(user('go'));
  await isFinished;
  expect(said).toBe(100);
  release();
  await session.end();
  const texts: unknown[] = [];
  for await (const item of session) {
    if (item.kind === 'message' && item.message.type === 'assistant') texts.push(item.message['message']);
  }
  expect(texts).toMatchObject(Array.from({ length: 100 }, (_, n) => ({ id: `msg_${n}` })));
  await outcome;
});

test('a broken link stops background work and sends nothing', async () => {
  const { host, agent } = createMemoryPair();
  let isStopped = false;
  const outcome = runAgent(agent, {
    async *runTurn(turn) {
      const run = (signal: AbortSignal) =>
        new Promise<{ summary: string }>((resolve) => {
          signal.addEventListener('abort', () => {
            isStopped = true;
            resolve({ summary: '' });
          });
        });
      turn.background({ description: 'Wait', task_type: 'local_bash', run });
      yield assistant('started');
    },
  });
  const session = createSession(host);
  void session.emit(user('go'));
  for await (const item of session) {
    if (item.kind === 'message' && item.message.type === 'result') break;
  }
  host.abort(new Error('cut'));
  await outcome.catch(() => {});
  expect(isStopped).toBe(true);
});

verifies(
  'AGENT-1',
  'a session offers its transport, its requests and its callbacks at once, and can be read once',
  async () => {
    const { host, agent } = createMemoryPair();
    const received: string[] = [];
    const session = createSession(agent, {
      onItem: ({ kind }) => void received.push(kind),
      onResponse: (_response, settlement) => void received.push(settlement),
    });
    expect(session.transport).toBe(agent);
    expect(session.pending.size).toBe(0);
    const stray = { type: 'control_response', response: { subtype: 'success', request_id: 'stray' } };
    await host.send(encodeBatch(user('go'), stray));
    const { value } = await session[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ kind: 'message', message: { type: 'user' } });
    expect(received).toEqual(['message', 'unknown']);
    expect(() => session[Symbol.asyncIterator]()).toThrow(TypeError);
    await host.end();
    await session.end();
    await expect(session.request({ subtype: 'late' })).rejects.toThrow('Stream closed');
  },
);
