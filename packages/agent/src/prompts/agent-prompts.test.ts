import fc from 'fast-check';
import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { AuthStatus } from '../agent-options.ts';
import { agentPeer, assistant, kinds, untilAborted, user } from '../agent-peer.test-support.ts';
import { textOf } from './prompt.ts';
import { runAgent } from '../agent-session.ts';
import type { RunTurn } from '../turns/turn.ts';

const uuidOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const results = (messages: readonly { type: string; result?: unknown }[]) =>
  messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));

describe('prompts of a session', () => {
  verifies(
    ['TRN-17', 'TRN-18', 'TRN-19', 'AGENT-2', 'TRN-16'],
    'run in order, one turn at a time, each turn with its own signal',
    async () => {
      const signals = new Set<AbortSignal>();
      let running = 0;
      const runTurn: RunTurn = async function* ({ prompt, signal }) {
        expect(++running).toBe(1);
        signals.add(signal);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        yield assistant(textOf(prompt));
      };
      const { session, rest } = agentPeer({ runTurn });
      for (const text of ['one', 'two', 'three']) void session.emit(user(text));
      expect(results(await rest())).toEqual(['one', 'two\nthree']);
      expect(signals.size).toBe(2);
    },
  );

  verifies(['TRN-22', 'TRN-24', 'RES-12'], 'run once per id, and always without an id', async () => {
    const { session, rest } = agentPeer();
    for (const uuid of [uuidOf(1), uuidOf(1), uuidOf(2)]) void session.emit(user(uuid.slice(-1), { uuid }));
    void session.emit(user('again'));
    void session.emit(user('again'));
    expect(results(await rest())).toEqual(['1', '2\nagain\nagain']);
  });

  verifies('TRN-23', 'that ran before a restart are recognized by the store', async () => {
    const store = new Set<string>();
    for (const expected of [['once'], []]) {
      const { session, rest } = agentPeer({ session: { store: store } });
      void session.emit(user('once', { uuid: uuidOf(1) }));
      void session.emit(user('once', { uuid: uuidOf(1) }));
      const messages = await rest();
      expect(results(messages)).toEqual(expected);
      // Each process that knows the prompt reports `completed` once.
      expect(messages.filter(({ state }) => state === 'completed')).toHaveLength(1);
    }
  });

  verifies(
    ['TRN-32', 'TRN-30'],
    'are echoed with replay on when their turn starts, and again when they are repeated',
    async () => {
      const { session, turn, rest } = agentPeer({ output: { replayUserMessages: true } });
      const prompt = user('hi', { uuid: uuidOf(1) });
      void session.emit(prompt);
      const first = await turn();
      expect(kinds(first)).toEqual([
        'command_lifecycle/queued',
        'command_lifecycle/started',
        'system/init',
        'user',
        'assistant',
        'result/success',
      ]);
      const echo = { type: 'user', message: prompt.message, uuid: uuidOf(1), session_id: 'session-1', isReplay: true };
      expect(first[3]).toMatchObject(echo);
      void session.emit(prompt);
      const repeated = await rest();
      expect(kinds(repeated)).toEqual(['command_lifecycle/completed', 'user']);
      expect(repeated[1]).toMatchObject(echo);
    },
  );

  test('without an id are echoed with replay on, under an id of the agent', async () => {
    const { session, turn } = agentPeer({ output: { replayUserMessages: true } });
    const prompt = user('hi');
    void session.emit(prompt);
    const messages = await turn();
    expect(kinds(messages)).toEqual(['system/init', 'user', 'assistant', 'result/success']);
    expect(messages[1]).toMatchObject({ message: prompt.message, isReplay: true, uuid: expect.any(String) });
  });

  verifies(
    ['TRN-25', 'TRN-26'],
    'with an id are named in the first reply, in the result and at completion',
    async () => {
      const { session, rest } = agentPeer({ output: { partialMessages: true } });
      void session.emit(user('hi', { uuid: uuidOf(1) }));
      const messages = await rest();
      const answers = { user_message_uuid: uuidOf(1), user_message_uuids: [uuidOf(1)] };
      expect(messages.filter(({ user_message_uuid: uuid }) => uuid !== undefined)).toEqual([
        expect.objectContaining({ type: 'stream_event', ...answers }),
        expect.objectContaining({ type: 'result', ...answers }),
      ]);
      expect(kinds(messages).at(-1)).toBe('command_lifecycle/completed');
    },
  );

  verifies(['TRN-18', 'TRN-25'], 'that wait together share one turn, which names all of them', async () => {
    const { session, rest } = agentPeer({ output: { replayUserMessages: true } });
    const [one, two, three] = [uuidOf(1), uuidOf(2), uuidOf(3)];
    void session.emit(user('one', { uuid: one }));
    void session.emit(user('two', { uuid: two }));
    void session.emit(user([{ type: 'text', text: 'three' }], { uuid: three }));
    const messages = await rest();
    expect(results(messages)).toEqual(['one', 'two\nthree']);
    const [, second] = messages.filter(({ type }) => type === 'result');
    expect(second).toMatchObject({ user_message_uuid: three, user_message_uuids: [two, three], result_index: 1 });
    const inits = messages.filter(({ subtype }) => subtype === 'init');
    expect(inits.map((init) => init['user_message_uuids'])).toEqual([[one], [two, three]]);
    const lives = messages.flatMap(({ command_uuid: uuid, state }) =>
      typeof uuid === 'string' ? [`${uuid.slice(-1)} ${String(state)}`] : [],
    );
    expect(lives.slice(-5)).toEqual(['1 completed', '2 started', '3 started', '2 completed', '3 completed']);
  });

  test('with the priority `now` interrupt the running turn and run next', async () => {
    const runTurn: RunTurn = async function* (turn) {
      if (turn.prompt === 'slow') yield* untilAborted(turn);
      else yield assistant(textOf(turn.prompt));
    };
    const { session, until, rest } = agentPeer({ runTurn });
    void session.emit(user('slow'));
    await until(({ type }) => type === 'assistant');
    void session.emit(user('later'));
    void session.emit(user('now', { priority: 'now', uuid: uuidOf(1) }));
    const messages = await rest();
    expect(messages.find(({ type }) => type === 'result')).toMatchObject({ terminal_reason: 'aborted_streaming' });
    expect(results(messages).at(-1)).toBe('now\nlater');
  });

  test('that arrive after a turn has begun are not reported as waiting before it', async () => {
    const { host, agent } = createMemoryPair();
    void runAgent(agent, { runTurn: async function* () {} });
    const later = user('later', { uuid: uuidOf(1), priority: 'later' });
    void host.send(encodeBatch(later, user('next', { uuid: uuidOf(2) })));
    void host.end();
    const states: string[] = [];
    for await (const item of flattenIncoming(host.incoming)) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      if (message?.type !== 'command_lifecycle') continue;
      const { command_uuid: uuid, state } = message;
      states.push(`${String(uuid).slice(-1)} ${String(state)}`);
    }
    expect(states).toEqual(['1 queued', '1 started', '2 queued', '1 completed', '2 started', '2 completed']);
  });

  test('with the priority `later` let prompts pass that come after them', async () => {
    const runTurn: RunTurn = async function* (turn) {
      if (turn.prompt === 'slow') yield* untilAborted(turn);
      else yield assistant(textOf(turn.prompt));
    };
    const { session, until, rest } = agentPeer({ runTurn });
    void session.emit(user('slow'));
    await until(({ type }) => type === 'assistant');
    const later = { priority: 'later' };
    for (const text of ['one', 'two']) void session.emit(user(text, later));
    for (const text of ['three', 'four']) void session.emit(user(text, { priority: 'next' }));
    void session.emit(user('five', later));
    void session.emit(user('six'));
    void session.emit(user('now', { priority: 'now' }));
    expect(results(await rest()).at(-1)).toBe('now\nthree\nfour\nsix\none\ntwo\nfive');
  });

  verifies('CTL-29', 'need no initialize before them', async () => {
    const { session, rest } = agentPeer();
    void session.emit(user('straight away'));
    expect(results(await rest())).toEqual(['straight away']);
  });

  verifies('AGENT-7', 'that fail end in an error result after earlier messages, also as the outcome', async () => {
    const runTurn: RunTurn = async function* () {
      yield assistant('so far');
      throw new Error('out of luck');
    };
    const { session, rest, outcome } = agentPeer({ runTurn });
    void session.emit(user('go'));
    const messages = await rest();
    expect(kinds(messages)).toEqual(['system/init', 'assistant', 'result/error_during_execution']);
    expect(messages.at(-1)).toMatchObject({
      is_error: true,
      errors: ['out of luck'],
      num_turns: 1,
      usage: expect.anything(),
    });
    await expect(outcome).resolves.toEqual({ isError: true });
  });

  verifies(['TRN-10', 'TRN-11'], 'may end in a result of the agent, which is completed and sent last', async () => {
    const runTurn: RunTurn = async function* () {
      yield { type: 'result', subtype: 'error_max_turns', is_error: true, errors: [] };
      yield assistant('a late word');
    };
    const { session, rest, outcome } = agentPeer({ runTurn });
    void session.emit(user('go'));
    const messages = await rest();
    expect(kinds(messages)).toEqual(['system/init', 'assistant', 'result/error_max_turns']);
    expect(messages.at(-1)).toMatchObject({ is_error: true, num_turns: 1, total_cost_usd: 0, permission_denials: [] });
    await expect(outcome).resolves.toEqual({ isError: true });
  });

  verifies('TRN-21', 'that need no answer get a result without turns', async () => {
    const { session, rest } = agentPeer();
    void session.emit(user('just so you know', { shouldQuery: false }));
    expect(await rest()).toEqual([
      expect.objectContaining({ type: 'result', subtype: 'success', num_turns: 0, result: '' }),
    ]);
  });

  verifies('TRN-21', 'that need no answer have no turn that an interrupt could end', async () => {
    const { host, agent } = createMemoryPair();
    void runAgent(agent, { runTurn: untilAborted });
    const interrupt = { type: 'control_request', request_id: 'i1', request: { subtype: 'interrupt' } };
    void host.send(encodeBatch(user('kept', { shouldQuery: false }), interrupt));
    void host.end();
    const results: unknown[] = [];
    for await (const item of flattenIncoming(host.incoming))
      if (item.kind === 'message' && item.read().message?.['type'] === 'result') results.push(item.read().message);
    expect(results).toMatchObject([{ subtype: 'success', num_turns: 0 }]);
  });

  test('that do not reach the model keep what the session has spent', async () => {
    const spent = { total_cost_usd: 0.5, modelUsage: { model: { costUSD: 0.5 } } };
    const runTurn: RunTurn = async function* (turn) {
      if (turn.prompt === 'fail') throw new Error('out of luck');
      yield { type: 'result', subtype: 'success', is_error: false, result: 'done', ...spent };
    };
    const { session, turn } = agentPeer({ runTurn });
    for (const [text, members] of [['go'], ['kept', { shouldQuery: false }], ['fail']] as const) {
      void session.emit(user(text, members));
      expect((await turn()).at(-1)).toMatchObject({ type: 'result', ...spent });
    }
  });
});

describe('an interrupt and queued prompts', () => {
  verifies(['INT-14', 'INT-17'], 'finds the prompts that arrived before it, even if all arrive at once', async () => {
    const { host, agent } = createMemoryPair();
    void runAgent(agent, { runTurn: untilAborted });
    const interrupt = (request_id: string, members: object) => ({
      type: 'control_request',
      request_id,
      request: { subtype: 'interrupt', ...members },
    });
    const prompts = [1, 2].map((n) => user(String(n), { uuid: uuidOf(n) }));
    void host.send(encodeBatch(...prompts, interrupt('i1', {}), interrupt('i2', { cancel_queued: true })));
    void host.end();
    const messages: WireMessage[] = [];
    for await (const item of flattenIncoming(host.incoming)) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      if (message !== undefined) messages.push(message);
    }
    const receipts = messages.flatMap(({ type, response }) => (type === 'control_response' ? [response] : []));
    expect(receipts).toMatchObject([
      { request_id: 'i1', response: { still_queued: [uuidOf(2)] } },
      { request_id: 'i2', response: { still_queued: [], cancelled: [uuidOf(2)] } },
    ]);
    const lives = messages.flatMap(({ type, command_uuid: uuid, state }) =>
      type === 'command_lifecycle' ? [`${String(uuid).slice(-1)} ${String(state)}`] : [],
    );
    expect(lives).toEqual(['1 queued', '1 started', '2 queued', '2 cancelled', '1 cancelled']);
    expect(messages.filter(({ type }) => type === 'result')).toMatchObject([{ subtype: 'error_during_execution' }]);
  });

  verifies(
    ['CTL-13', 'INT-1', 'INT-3', 'INT-14'],
    'is served during a turn, and lists the prompts that still wait',
    async () => {
      const { session, until, turn } = agentPeer({ runTurn: untilAborted });
      void session.emit(user('one', { uuid: uuidOf(1) }));
      void session.emit(user('two', { uuid: uuidOf(2) }));
      await until(({ type }) => type === 'assistant');
      await expect(session.request({ subtype: 'interrupt' })).resolves.toEqual({ still_queued: [uuidOf(2)] });
      const cut = await turn();
      expect(kinds(cut)).toEqual(['assistant', 'user', 'result/error_during_execution']);
      expect(cut.at(-1)).toMatchObject({
        num_turns: 2,
        errors: ['The turn was interrupted by the user.'],
        stop_reason: null,
        user_message_uuid: uuidOf(1),
      });
      const next = await until(({ type }) => type === 'assistant');
      expect(kinds(next)).toEqual([
        'command_lifecycle/cancelled',
        'command_lifecycle/started',
        'system/init',
        'assistant',
      ]);
      const receipt = session.request({ subtype: 'interrupt', cancel_queued: true });
      await expect(receipt).resolves.toEqual({ still_queued: [], cancelled: [] });
    },
  );

  verifies(['INT-1', 'INT-2'], 'succeeds without a running turn, both before and after a turn', async () => {
    const { session, turn } = agentPeer();
    await expect(session.request({ subtype: 'interrupt' })).resolves.toEqual({ still_queued: [] });
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success', result: 'go' });
    await expect(session.request({ subtype: 'interrupt' })).resolves.toEqual({ still_queued: [] });
    void session.emit(user('again'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success', result: 'again' });
  });

  verifies(
    ['INT-16', 'INT-17', 'INT-18', 'INT-19'],
    'may cancel the queued prompts, and a host may cancel one prompt',
    async () => {
      const { session, until, rest } = agentPeer({ runTurn: untilAborted });
      for (const n of [1, 2, 3]) void session.emit(user(String(n), { uuid: uuidOf(n) }));
      await until(({ type }) => type === 'assistant');
      const back = session.request({ subtype: 'cancel_async_message', message_uuid: uuidOf(2) });
      await expect(back).resolves.toEqual({ cancelled: true, message_uuid: uuidOf(2) });
      const again = session.request({ subtype: 'cancel_async_message', message_uuid: uuidOf(2) });
      await expect(again).resolves.toEqual({ cancelled: false, message_uuid: uuidOf(2) });
      const all = session.request({ subtype: 'interrupt', cancel_queued: true });
      await expect(all).resolves.toEqual({ still_queued: [], cancelled: [uuidOf(3)] });
      expect((await rest()).filter(({ type }) => type === 'result')).toHaveLength(1);
    },
  );
});

verifies('TRN-34', 'the session state is reported once for each change, if the option asks for it', async () => {
  const { session, rest } = agentPeer({ output: { stateEvents: 'host-only' } });
  void session.emit(user('one'));
  void session.emit(user('two'));
  const states = (await rest()).filter(({ subtype }) => subtype === 'session_state_changed');
  expect(states).toMatchObject([
    { state: 'running', sdk_host_only: true },
    { state: 'idle', sdk_host_only: true },
  ]);
});

verifies('AGENT-6', 'the conversation has the complete messages of the main thread, each once', async () => {
  const histories: string[][] = [];
  const runTurn: RunTurn = async function* ({ prompt, history }) {
    histories.push(history.map(({ message }) => textOf((message as { content: unknown }).content)));
    yield { type: 'stream_event', event: {}, parent_tool_use_id: null };
    yield assistant('by a subagent', { parent_tool_use_id: 'tool-1' });
    yield user('an echo', { isReplay: true });
    yield assistant(`to ${textOf(prompt)}`);
  };
  const { session, rest } = agentPeer({
    runTurn,
    session: { history: [user('loaded')] },
    output: { partialMessages: true },
  });
  void session.emit(assistant('by the host'));
  void session.emit(user('one'));
  void session.emit(user('kept', { shouldQuery: false }));
  void session.emit(user('two'));
  expect(await rest()).toHaveLength(13);
  expect(histories).toEqual([
    ['loaded', 'by the host', 'one'],
    ['loaded', 'by the host', 'one', 'to one', 'kept', 'two'],
  ]);
});

verifies(
  'AGENT-6',
  'the store gets the messages under their ids on the wire, before later messages are sent',
  async () => {
    const kept: WireMessage[] = [];
    const store = Object.assign(new Set<string>(), { append: (message: WireMessage) => void kept.push(message) });
    const { session, until, turn, rest } = agentPeer({ runTurn: untilAborted, session: { store: store } });
    void session.emit(user('go', { uuid: uuidOf(1) }));
    const said = await until(({ type }) => type === 'assistant');
    expect(kept).toMatchObject([{ type: 'user', uuid: uuidOf(1) }, { uuid: said.at(-1)?.['uuid'] }]);
    void session.request({ subtype: 'interrupt' });
    const [cut, marker, result] = await turn();
    expect(result).toMatchObject({ type: 'result' });
    expect(kept.slice(2).map(({ uuid }) => uuid)).toEqual([cut?.['uuid'], marker?.['uuid']]);
    void session.emit(user('remember', { shouldQuery: false }));
    await rest();
    expect(kept.at(-1)).toMatchObject({ message: { content: 'remember' }, uuid: expect.any(String) });
  },
);

test('an error of the store fails the turn', async () => {
  const append = () => {
    throw new Error('disk full');
  };
  const { session, rest } = agentPeer({ session: { store: Object.assign(new Set<string>(), { append }) } });
  void session.emit(user('go'));
  expect((await rest()).at(-1)).toMatchObject({ subtype: 'error_during_execution', errors: ['disk full'] });
});

verifies('AGENT-3', 'a turn has the id of its last prompt, and no id if that prompt has none', async () => {
  const received: unknown[] = [];
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const { session, turn } = agentPeer({
    async *runTurn({ prompt, promptUuid }) {
      received.push([prompt, promptUuid]);
      if (prompt === 'first') await gate;
      yield assistant('done');
    },
  });
  const [one, two, three] = [1, 2, 3].map(uuidOf);
  void session.emit(user('first', { uuid: one }));
  void session.emit(user('second', { uuid: two }));
  void session.emit(user('third', { uuid: three }));
  await vi.waitFor(() => expect(received).toHaveLength(1));
  goOn();
  await turn();
  await turn();
  void session.emit(user('nameless'));
  await turn();
  expect(received).toEqual([
    ['first', one],
    ['second\nthird', three],
    ['nameless', undefined],
  ]);
});

verifies('AGENT-10', 'the progress of a sign-in is reported, even if its source fails at the end', async () => {
  async function* loginStates() {
    yield { isAuthenticating: true, output: ['open the page'] };
    yield { isAuthenticating: false, output: [], error: 'denied' };
    throw new Error('no more');
  }
  const { session, turn } = agentPeer({ output: { authStatus: loginStates() } });
  await new Promise((resolve) => setTimeout(resolve, 2));
  void session.emit(user('hi'));
  const sent = (await turn()).filter(({ type }) => type === 'auth_status');
  const common = { type: 'auth_status', session_id: 'session-1', uuid: expect.any(String) };
  expect(sent).toEqual([
    { ...common, isAuthenticating: true, output: ['open the page'] },
    { ...common, isAuthenticating: false, output: [], error: 'denied' },
  ]);
});

verifies('AGENT-10', 'the source of the sign-in progress is closed with the session', async () => {
  let returned = 0;
  const authStatus: AsyncIterable<AuthStatus> = {
    [Symbol.asyncIterator]: () => ({
      // The source yields nothing more while the session lasts.
      next: () => new Promise(() => {}),
      async return() {
        returned++;
        return { done: true, value: undefined };
      },
    }),
  };
  const { session, rest, outcome } = agentPeer({ output: { authStatus } });
  void session.emit(user('hi'));
  await rest();
  await outcome;
  expect(returned).toBe(1);
  const broken = agentPeer({ output: { authStatus } });
  broken.session.abort();
  await broken.outcome.catch(() => {});
  expect(returned).toBe(2);
});

test('bad input ends the agent, and a slow reader still gets all earlier messages', async () => {
  const runTurn: RunTurn = async function* ({ signal }) {
    for (let n = 0; n < 50; n++) yield assistant(`${n} ${'x'.repeat(100_000)}`);
    yield { type: 'said' };
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    yield assistant('never');
  };
  const { session, until, outcome } = agentPeer({ runTurn });
  void session.emit(user('go'));
  const said = await until(({ type }) => type === 'said');
  expect(said).toHaveLength(52);
  void session.emit({ type: 'user', message: { role: 'assistant' } });
  expect(await until(() => false)).toEqual([]);
  await expect(outcome).rejects.toThrow("got 'assistant'");
});

describe('a request that arrives in one write with prompts', () => {
  const control = (request_id: string, request: object) => ({ type: 'control_request', request_id, request });

  /** Sends all frames to an agent, in writes of the given sizes, and returns what the agent has sent. */
  async function sent(frames: readonly WireMessage[], sizes: readonly number[]): Promise<readonly WireMessage[]> {
    const { host, agent } = createMemoryPair();
    const runTurn: RunTurn = async function* (turn) {
      // A slow turn lasts until it is interrupted.
      if (textOf(turn.prompt).includes('slow')) yield* untilAborted(turn);
      else yield assistant(textOf(turn.prompt));
    };
    void runAgent(agent, { runTurn });
    let at = 0;
    for (const size of [...sizes, frames.length]) {
      if (at < frames.length) void host.send(encodeBatch(...frames.slice(at, (at += size))));
      if (size % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    void host.end();
    const messages: WireMessage[] = [];
    for await (const item of flattenIncoming(host.incoming)) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  verifies('AGENT-9', 'acts on the prompts before it only: an interrupt does not end the prompt after it', async () => {
    for (const members of [{}, { cancel_queued: true }]) {
      const messages = await sent(
        [control('i', { subtype: 'interrupt', ...members }), user('next', { uuid: uuidOf(1) })],
        [],
      );
      expect(results(messages)).toEqual(['next']);
      const [receipt] = messages.flatMap(({ type, response }) => (type === 'control_response' ? [response] : []));
      expect(receipt).toMatchObject({ response: { still_queued: [] } });
    }
  });

  verifies('AGENT-9', 'does not take back a prompt after it', async () => {
    const back = control('c', { subtype: 'cancel_async_message', message_uuid: uuidOf(2) });
    const messages = await sent(
      [
        user('slow', { uuid: uuidOf(1) }),
        back,
        user('kept', { uuid: uuidOf(2) }),
        control('i', { subtype: 'interrupt' }),
      ],
      [],
    );
    expect(messages).toContainEqual(
      expect.objectContaining({
        response: expect.objectContaining({ response: { cancelled: false, message_uuid: uuidOf(2) } }),
      }),
    );
    expect(results(messages).at(-1)).toBe('kept');
  });

  verifies('AGENT-9', 'ends the prompt before it and no other, however the frames are cut into writes', async () => {
    const step = fc.constantFrom('slow, interrupt', 'quick', 'interrupt');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 5 })),
        async (steps, sizes) => {
          const frames = steps.flatMap((each, n) => {
            const interrupt = control(`i${n}`, { subtype: 'interrupt', cancel_queued: true });
            // A context-only prompt does not start a turn, so the prompts that quickly follow it are not merged with the others.
            if (each === 'interrupt') return [];
            if (each === 'quick') return [user(`quick ${n}`, { uuid: uuidOf(n) })];
            return [user(`slow ${n}`, { uuid: uuidOf(n) }), interrupt];
          });
          // An interrupt that arrives while the agent is idle, before any prompt, does not end a turn.
          const idle = steps.flatMap((each, n) =>
            each === 'interrupt' ? [control(`idle${n}`, { subtype: 'interrupt', cancel_queued: true })] : [],
          );
          const messages = await sent([...idle, ...frames], sizes);
          const lastSlow = steps.lastIndexOf('slow, interrupt');
          const after = steps.flatMap((each, n) => (each === 'quick' && n > lastSlow ? [uuidOf(n)] : []));
          const completed = messages.flatMap(({ state, command_uuid }) =>
            state === 'completed' ? [command_uuid] : [],
          );
          expect(completed).toEqual(expect.arrayContaining(after));
          const slow = steps.flatMap((each, n) => (each === 'slow, interrupt' ? [uuidOf(n)] : []));
          const cancelled = messages.flatMap(({ state, command_uuid }) =>
            state === 'cancelled' ? [command_uuid] : [],
          );
          expect(cancelled).toEqual(expect.arrayContaining(slow));
        },
      ),
      { numRuns: 100 },
    );
  });
});
