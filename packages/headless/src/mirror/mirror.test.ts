import { runAgent, textOf } from '@proto/agent';
import { createSession, type Session } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { growth, MOST_GROWTH } from '@proto/test-support';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { assistant } from '../run.test-support.ts';
import type { Side } from './mirror-messages.ts';
import { mirror } from './mirror.ts';
import { RemoteHost } from './remote-host.ts';

const user = (content: string, uuid: string) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  uuid,
});

/** A host of the session that answers questions when the test calls it. */
function hostOf(side: Side, pair: ReturnType<typeof createMemoryPair>) {
  const open = new Map<unknown, () => void>();
  const asked: unknown[] = [];
  const withdrawn: unknown[] = [];
  const messages: WireMessage[] = [];
  const session: Session = createSession(pair.host, {
    handlers: {
      can_use_tool: ({ tool_use_id: id }, { signal }) => {
        asked.push(id);
        signal.addEventListener('abort', () => {
          open.delete(id);
          withdrawn.push(id);
        });
        return new Promise((resolve) =>
          open.set(id, () => {
            open.delete(id);
            resolve({ behavior: 'allow', updatedInput: { by: side } });
          }),
        );
      },
    },
  });
  void (async () => {
    for await (const item of session) if (item.kind === 'message') messages.push(item.message);
  })().catch(() => {});
  return { ...pair, session, open, asked, withdrawn, messages };
}

/** One agent and its two hosts. Each turn asks one question and reports which host answered. */
function hosts(options: { readonly maxBytes?: number; readonly replays?: boolean } = {}) {
  const [local, remote] = [hostOf('local', createMemoryPair()), hostOf('remote', createMemoryPair())];
  const gone: unknown[] = [];
  let calls = 0;
  const transport = mirror({
    local: local.agent,
    remote: remote.agent,
    replays: false,
    onGone: (error) => gone.push(error?.code),
    ...options,
  });
  const outcome = runAgent(transport, {
    permissions: { promptTool: 'stdio' },
    output: { replayUserMessages: options.replays ?? false },
    session: { mirror: { filePath: '/projects/-/s.jsonl', cwd: '/', version: '2.1.328' } },
    async *runTurn(turn) {
      if (textOf(turn.prompt) !== 'quiet') {
        const decision = await turn.canUseTool('Bash', {}, `T${++calls}`);
        yield assistant(decision.behavior === 'allow' ? String(decision.input['by']) : decision.behavior);
      }
    },
  });
  outcome.catch(() => {});
  const results = () => local.messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));
  return { local, remote, gone, results, outcome };
}

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

verifies(
  'PERMIT-18',
  'the first answer of either host decides, and the question is cancelled at the other host',
  async () => {
    const { local, remote, results, outcome } = hosts();
    for (const [turn, [first, second]] of (
      [
        [local, remote],
        [remote, local],
      ] as const
    ).entries()) {
      await local.session.emit(user('go', `u${turn}`));
      await vi.waitFor(() => expect([local.open.size, remote.open.size]).toEqual([1, 1]));
      first.open.values().next().value?.();
      await vi.waitFor(() => expect(results()).toHaveLength(turn + 1));
      expect([first.withdrawn, second.withdrawn.at(-1)]).toEqual([turn === 0 ? [] : [`T1`], `T${turn + 1}`]);
    }
    expect(results()).toEqual(['local', 'remote']);
    await local.session.end();
    await outcome;
    expect(local.asked).toEqual(remote.asked);
  },
);

type Step = 'local' | 'remote' | 'both' | 'hold' | 'release' | 'cut' | 'settle';

verifies(
  'PERMIT-18',
  'property: each question has one outcome, whichever host answers first and whenever the link is lost',
  async () => {
    const step = fc.constantFrom<Step>('local', 'remote', 'both', 'hold', 'release', 'cut', 'settle', 'settle');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { local, remote, results, outcome } = hosts();
        let isCut = false;
        const answer = (side: Side) => (side === 'local' ? local : remote).open.values().next().value?.();
        for (let turn = 0; turn < 4; turn++) await local.session.emit(user('go', `u${turn}`));
        await settle();
        for (const one of steps) {
          if (one === 'local' || one === 'both') answer('local');
          if (one === 'remote' || one === 'both') answer('remote');
          if (one === 'hold' && !isCut) remote.hold();
          if (one === 'release' && !isCut) remote.release();
          if (one === 'cut') {
            isCut = true;
            remote.session.abort();
          }
          if (one === 'settle') await settle();
        }
        if (!isCut) remote.release();
        const calls = () => local.asked.length;
        // Prompts that wait together become one turn, so there is one result for each question.
        await vi.waitFor(async () => {
          answer('local');
          await settle();
          expect(results().length).toBe(calls());
          expect(local.messages.filter(({ type }) => type === 'result').length).toBeGreaterThan(0);
          expect(local.open.size).toBe(0);
        });
        await local.session.end();
        await outcome;
        expect(results().every((by) => by === 'local' || by === 'remote')).toBe(true);
        expect(new Set(local.asked).size).toBe(local.asked.length);
        if (!isCut) {
          await settle();
          // The remote host is not asked a question that was cancelled before it arrived.
          expect(local.asked).toEqual(expect.arrayContaining(remote.asked));
          expect(remote.open.size).toBe(0);
        }
      }),
      { numRuns: 100 },
    );
  },
  { timeout: 120_000 },
);

test('each host gets the answers to its own requests under its own ids, and echoes of the prompts of the other host', async () => {
  const { local, remote, results } = hosts();
  const [here, there] = await Promise.all([
    local.session.request({ subtype: 'set_model', model: 'one' }, { requestId: 'same' }),
    remote.session.request({ subtype: 'set_permission_mode', mode: 'plan' }, { requestId: 'same' }),
  ]);
  expect([here, there]).toEqual([{ model: 'one' }, { mode: 'plan' }]);
  await local.session.emit(user('quiet', 'u1'));
  await remote.session.emit(user('quiet', 'u2'));
  await vi.waitFor(() => expect(results().length).toBeGreaterThan(0));
  const echoes = ({ messages }: { messages: WireMessage[] }) =>
    messages.flatMap(({ type, isReplay, uuid }) => (type === 'user' && isReplay === true ? [uuid] : []));
  await vi.waitFor(() => expect(echoes(remote)).toContain('u1'));
  expect(echoes(local)).toContain('u2');
});

verifies('FRM-9', 'U+2028 and U+2029 are escaped in the messages that one host gets about the other', async () => {
  const [local, remote] = [createMemoryPair(), createMemoryPair()];
  const joined = mirror({ local: local.agent, remote: remote.agent, replays: false, onGone: () => {} });
  void (async () => {
    for await (const _ of joined.incoming);
  })().catch(() => {});
  const sent = {
    local: local.host.incoming[Symbol.asyncIterator](),
    remote: remote.host.incoming[Symbol.asyncIterator](),
  };
  for (const [from, to] of [
    [local, sent.remote],
    [remote, sent.local],
  ] as const) {
    await from.host.send(encodeBatch(user('a\u2028b\u2029c', 'u1')));
    const { value = [] } = await to.next();
    expect(value).toMatchObject([{ text: expect.stringContaining('"a\\u2028b\\u2029c"') }]);
  }
});

verifies('AGENT-14', 'only the local host may refresh the environment variables of the process', async () => {
  const [local, remote] = [createMemoryPair(), createMemoryPair()];
  const applied: unknown[] = [];
  const joined = mirror({ local: local.agent, remote: remote.agent, replays: false, onGone: () => {} });
  const outcome = runAgent(joined, {
    async *runTurn({ prompt }) {
      yield assistant(textOf(prompt));
    },
    environment: { onChange: (variables) => void applied.push(variables) },
  });
  const host = createSession(local.host);
  const update = (token: string) => ({
    type: 'update_environment_variables',
    variables: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: token },
  });
  await remote.host.send(encodeBatch(update('forged'), user('from afar', 'u1')));
  for await (const item of host) if (item.kind === 'message' && item.message.type === 'result') break;
  expect(applied).toEqual([]);
  host.abort();
  await outcome.catch(() => {});
});

test('a remote host receives the state of the session when it initializes, and its hooks do not reach the agent', async () => {
  const { local, remote } = hosts();
  await local.session.request({ subtype: 'initialize' });
  await local.session.emit(user('go', 'u1'));
  await vi.waitFor(() => expect(remote.open.size).toBe(1));
  const hooks = { PreToolUse: [{ hookCallbackIds: ['h1'] }] };
  const introduction = await remote.session.request({ subtype: 'initialize', hooks });
  expect(introduction).toMatchObject({ commands: [], output_style: 'default', session_state: 'idle' });
  local.open.values().next().value?.();
});

test('the state that a remote host receives is the answer to initialize, though the local host uses its id again', async () => {
  const { local, remote } = hosts();
  const request = (subtype: string) => encodeBatch({ type: 'control_request', request_id: 'r1', request: { subtype } });
  await local.host.send(request('initialize'));
  await local.host.send(request('get_settings'));
  await local.session.request({ subtype: 'interrupt' });
  const introduction = await remote.session.request({ subtype: 'initialize' });
  expect(introduction).toMatchObject({ output_style: 'default' });
  expect(introduction).not.toHaveProperty('effective');
});

test('a remote host whose unread messages exceed the limit is disconnected, and the session continues', async () => {
  const { local, remote, gone, results } = hosts({ maxBytes: 100 });
  remote.hold();
  for (const uuid of ['u1', 'u2', 'u3']) await local.session.emit(user('quiet', uuid));
  await vi.waitFor(() => expect(results().length).toBeGreaterThan(0));
  await vi.waitFor(() => expect(gone).toEqual(['overflow']));
  await local.session.emit(user('go', 'u4'));
  await vi.waitFor(() => expect(local.open.size).toBe(1));
  local.open.values().next().value?.();
  await vi.waitFor(() => expect(results().at(-1)).toBe('local'));
  expect(TransportError.is((await remote.agent.closed).error)).toBe(true);
});

test('the cost of cancelling requests of a remote host grows in proportion to their number', () => {
  const ratio = growth(2000, (n) => {
    const remote = new RemoteHost(createMemoryPair().agent, { onGone: () => {} });
    const frames = Array.from({ length: n }, (_, id) => ({ type: 'control_request', request_id: `r${id}` }));
    for (const frame of frames) remote.asked(frame);
    return () => {
      for (const frame of frames.toReversed()) expect(remote.tookBack(frame)).toBeDefined();
    };
  });
  expect(ratio).toBeLessThan(MOST_GROWTH);
});

test('two requests that use the same id in turn are cancelled separately', () => {
  const remote = new RemoteHost(createMemoryPair().agent, { onGone: () => {} });
  const first = remote.asked({ type: 'control_request', request_id: 'r1' });
  expect(remote.tookBack({ request_id: 'r1' })).toEqual(first['request_id'] && { request_id: first['request_id'] });
  const second = remote.asked({ type: 'control_request', request_id: 'r1' });
  const answer = { type: 'control_response', response: { subtype: 'success', request_id: second['request_id'] } };
  expect(JSON.parse(remote.answered(answer)?.text ?? '')).toMatchObject({ response: { request_id: 'r1' } });
  expect(remote.tookBack({ request_id: 'r1' })).toBeUndefined();
});

test('prompts of a remote host are read only as fast as the local host reads', async () => {
  const pairs = {
    local: createMemoryPair({ maxIncomingBytes: 1000 }),
    remote: createMemoryPair({ maxIncomingBytes: 1000 }),
  };
  const joined = mirror({ local: pairs.local.agent, remote: pairs.remote.agent, replays: false, onGone: () => {} });
  let received = 0;
  void (async () => {
    for await (const items of joined.incoming) received += items.length;
  })().catch(() => {});
  let taken = 0;
  for (let n = 0; n < 2000; n++) {
    void pairs.remote.host.send(encodeBatch(user('x'.repeat(100), `u${n}`))).then(() => taken++);
  }
  // Waits until no more prompts are accepted.
  for (let before = -1; before !== taken; await settle()) before = taken;
  expect(taken).toBeLessThan(200);
  expect(received).toBeLessThan(200);
  void (async () => {
    for await (const _ of pairs.local.host.incoming);
  })().catch(() => {});
  await vi.waitFor(() => expect(received).toBe(2000));
});

test('transcript_mirror messages for the store of the local host do not reach the remote host', async () => {
  const { local, remote, outcome } = hosts();
  await local.session.emit(user('quiet', 'u1'));
  await local.session.end();
  await outcome;
  await vi.waitFor(() => expect(remote.messages.some(({ type }) => type === 'result')).toBe(true));
  const frames = ({ messages }: typeof local) => messages.filter(({ type }) => type === 'transcript_mirror');
  expect(frames(local)).toMatchObject([{ entries: [{ uuid: 'u1' }] }]);
  expect(frames(remote)).toEqual([]);
});

verifies(
  'CTL-23',
  'an answer of a remote host with camel case ids cancels the question at the local host',
  async () => {
    const local = hostOf('local', createMemoryPair());
    const far = createMemoryPair();
    const transport = mirror({ local: local.agent, remote: far.agent, replays: false, onGone: () => {} });
    const outcome = runAgent(transport, {
      permissions: { promptTool: 'stdio' },
      async *runTurn(turn) {
        yield assistant((await turn.canUseTool('Bash', {}, 'T1')).behavior);
      },
    });
    outcome.catch(() => {});
    await local.session.emit(user('go', 'u1'));
    for await (const items of far.host.incoming) {
      const asked = items
        .flatMap((item) => (item.kind === 'message' ? [item.read().message] : []))
        .find((message) => message?.type === 'control_request');
      if (asked === undefined) continue;
      const response = {
        subtype: 'success',
        requestId: asked['request_id'],
        response: { behavior: 'deny', message: 'no' },
      };
      await far.host.send(encodeBatch({ type: 'control_response', response }));
      break;
    }
    await vi.waitFor(() => expect(local.withdrawn).toEqual(['T1']));
    await vi.waitFor(() => expect(local.messages.some(({ type }) => type === 'result')).toBe(true));
    await local.session.end();
    far.host.abort();
  },
);
