import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HostSession, HostSessionOptions } from './host-options.ts';
import { MAX_SILENCE_BEFORE_IDLE_MS } from './prompts/host-input.ts';
import {
  assistant,
  CAPABILITIES,
  hostAndPuppet,
  permission,
  request,
  rest,
  result,
  settled,
} from './puppet-agent.test-support.ts';

const stateChanged = (state: string) => ({ type: 'system', subtype: 'session_state_changed', state });
const HOOKS: HostSessionOptions = { hooks: { PreToolUse: [{ hooks: [() => ({ decision: 'approve' })] }] } };

describe('the end of the input', () => {
  verifies('HOST-13', 'follows when the agent is idle, also without callbacks', async () => {
    const { host, puppet } = hostAndPuppet({}, { initialize: false });
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    const asked = await puppet.asked('initialize');
    await settled();
    expect(puppet.isInputEnded).toBe(false);
    puppet.succeed(asked, CAPABILITIES);
    puppet.say(stateChanged('running'), assistant('one'), result());
    await vi.waitFor(() => expect(host.state.results).toBe(1));
    await settled();
    expect(puppet.isInputEnded).toBe(false);
    puppet.say(stateChanged('idle'));
    await ended;
    await puppet.inputEnded();
  });

  describe('of an agent that never reports idle', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    // No `waitFor` here, because it advances the time.
    const untilReceived = async ({ counters }: HostSession, messages: number) => {
      while (counters.messages < messages) await settled();
      await settled();
    };
    const task = (subtype: string, members: object = {}) => ({ type: 'system', subtype, task_id: 't1', ...members });

    test.each<[string, ...object[]]>([
      ['its result', assistant('one'), result()],
      [
        'the end of a task that begins no turn',
        task('task_started'),
        result(),
        task('task_notification', { status: 'completed' }),
      ],
    ])('follows after ten seconds of silence after %s', async (_, ...said) => {
      const { host, puppet } = hostAndPuppet();
      await host.prompt('hi').accepted;
      const ended = host.endInput();
      puppet.say(stateChanged('running'), ...said);
      await untilReceived(host, 1 + said.length);
      await vi.advanceTimersByTimeAsync(MAX_SILENCE_BEFORE_IDLE_MS - 1);
      // A message restarts the ten seconds.
      puppet.say({ type: 'system', subtype: 'status' });
      await untilReceived(host, 2 + said.length);
      await vi.advanceTimersByTimeAsync(MAX_SILENCE_BEFORE_IDLE_MS - 1);
      expect(puppet.isInputEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await ended;
    });

    test('does not follow while a turn or a task runs, however long the silence is', async () => {
      const { host, puppet } = hostAndPuppet();
      await host.prompt('hi').accepted;
      void host.endInput();
      puppet.say(stateChanged('running'), task('task_started'), result());
      await untilReceived(host, 3);
      await vi.advanceTimersByTimeAsync(86_400_000);
      puppet.say(task('task_notification', { status: 'completed' }), assistant('its turn'));
      await untilReceived(host, 5);
      await vi.advanceTimersByTimeAsync(86_400_000);
      expect(puppet.isInputEnded).toBe(false);
      await host.close();
    });

    test('waits for the answer to a question of the agent, and for the silence after it', async () => {
      const { host, puppet } = hostAndPuppet({ canUseTool: () => null });
      await host.prompt('hi').accepted;
      const ended = host.endInput();
      puppet.say(stateChanged('running'), result());
      await untilReceived(host, 2);
      await vi.advanceTimersByTimeAsync(MAX_SILENCE_BEFORE_IDLE_MS - 1);
      puppet.say(permission('p1'));
      while (host.state.questions === 0) await settled();
      await vi.advanceTimersByTimeAsync(86_400_000);
      expect(host.respond('p1', { behavior: 'allow' })).toBe(true);
      await puppet.answer('p1');
      await vi.advanceTimersByTimeAsync(MAX_SILENCE_BEFORE_IDLE_MS - 1);
      expect(puppet.isInputEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await ended;
    });

    test('reaches a program that reads its whole input before it answers', async () => {
      const { host, puppet } = hostAndPuppet({ initializeTimeoutMs: 1000 }, { initialize: false });
      await host.prompt('hi').accepted;
      const ended = host.endInput();
      await vi.advanceTimersByTimeAsync(999);
      expect(puppet.isInputEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(await host.initialized.catch((error) => error.code)).toBe('timeout');
    });
  });

  verifies('HOST-14', 'comes after an MCP handshake that follows the prompt', async () => {
    const lab = {
      async connect(transport: { onmessage?: unknown; send(message: object): Promise<void> }) {
        transport.onmessage = ({ id, method }: { id?: number; method: string }) => {
          if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: { method } });
        };
      },
    };
    const { host, puppet } = hostAndPuppet({ mcpServers: { lab } });
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    await puppet.received(({ type }) => type === 'user');
    for (const [id, method] of ['initialize', 'tools/list'].entries()) {
      puppet.say(
        request(`m${id}`, { subtype: 'mcp_message', server_name: 'lab', message: { jsonrpc: '2.0', id, method } }),
      );
      expect((await puppet.answer(`m${id}`))['response']).toMatchObject({ mcp_response: { id, result: { method } } });
    }
    expect(puppet.isInputEnded).toBe(false);
    puppet.say(result());
    await ended;
  });

  verifies('HOST-14', 'comes after a hook that follows the result', async () => {
    const { host, puppet } = hostAndPuppet(HOOKS);
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'PreToolUse' } };
    puppet.say(stateChanged('running'), assistant('one'), result(), request('h1', hook));
    expect((await puppet.answer('h1'))['response']).toEqual({ decision: 'approve' });
    expect(puppet.isInputEnded).toBe(false);
    puppet.say(stateChanged('idle'));
    await ended;
  });

  verifies('HOST-14', 'comes after the hooks of a turn that a background task starts', async () => {
    const { host, puppet } = hostAndPuppet(HOOKS);
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    const task = (subtype: string, members: object = {}) => ({ type: 'system', subtype, task_id: 't1', ...members });
    puppet.say(stateChanged('running'), task('task_started'), result(), stateChanged('idle'));
    puppet.say(
      task('task_updated', { patch: { status: 'completed' } }),
      task('task_notification', { status: 'completed' }),
    );
    await host.untilResult().next();
    await settled();
    expect(puppet.isInputEnded).toBe(false);
    const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'PreToolUse' } };
    puppet.say(stateChanged('running'), request('h1', hook));
    await puppet.answer('h1');
    puppet.say(result(), stateChanged('idle'));
    await ended;
  });

  verifies('HOST-14', 'comes after the answer to a late permission request, also through respond', async () => {
    const { host, puppet } = hostAndPuppet({ canUseTool: () => null });
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    puppet.say(permission('p1'), result());
    await vi.waitFor(() => expect(host.state).toMatchObject({ questions: 1, results: 1 }));
    await settled();
    expect(puppet.isInputEnded).toBe(false);
    expect(host.respond('p1', { behavior: 'allow' })).toBe(true);
    await ended;
    expect(await puppet.answer('p1')).toMatchObject({ response: { behavior: 'allow' } });
  });

  test('does not wait for a cancelled question', async () => {
    const { host, puppet } = hostAndPuppet({ canUseTool: () => null });
    await host.initialized;
    const ended = host.endInput();
    await settled();
    const late = hostAndPuppet({ canUseTool: () => null });
    await ended;
    await late.host.prompt('hi').accepted;
    const lateEnd = late.host.endInput();
    late.puppet.say(permission('p1'), result());
    await vi.waitFor(() => expect(late.host.state.questions).toBe(1));
    late.puppet.say({ type: 'control_cancel_request', request_id: 'p1' });
    await lateEnd;
    expect(puppet.answers('p1')).toEqual([]);
  });

  test('resolves when the link is lost', async () => {
    const { host, puppet } = hostAndPuppet(HOOKS);
    await host.prompt('hi').accepted;
    const ended = host.endInput();
    puppet.transport.abort();
    await ended;
  });
});

describe('a callback', () => {
  const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'Stop' } };
  const ending = (act: (host: HostSession) => Promise<void>) => {
    const { host, puppet } = hostAndPuppet({
      hooks: {
        Stop: [
          {
            hooks: [
              async () => {
                await act(host);
                return { continue: true };
              },
            ],
          },
        ],
      },
    });
    return { host, puppet };
  };

  test.each<[string, (host: HostSession) => Promise<void>]>([
    ['endInput', (host) => host.endInput()],
    ['close, drained', (host) => host.close({ pending: 'drain' })],
  ])('that awaits %s does not deadlock: the end comes after its answer', async (_, act) => {
    const { host, puppet } = ending(act);
    await host.prompt('hi').accepted;
    puppet.say(stateChanged('running'), request('h1', hook));
    expect(await puppet.answer('h1')).toMatchObject({ response: { continue: true } });
    expect(puppet.isInputEnded).toBe(false);
    puppet.say(result(), stateChanged('idle'));
    await puppet.inputEnded();
    await host.close();
  });
});

describe('closing a host session', () => {
  verifies('HOST-15', 'rejects open requests, or waits for them with drain', async () => {
    const rejecting = hostAndPuppet();
    const open = rejecting.host.request('get_usage');
    await rejecting.puppet.asked('get_usage');
    await rejecting.host.close();
    await expect(open).rejects.toMatchObject({ code: 'closed' });

    const draining = hostAndPuppet();
    const drained = draining.host.request('get_usage');
    const asked = await draining.puppet.asked('get_usage');
    const closed = draining.host.close({ pending: 'drain' });
    await settled();
    draining.puppet.succeed(asked, { session: {} });
    expect(await drained).toEqual({ session: {} });
    await closed;
    expect(await draining.host.closed).toEqual({ by: 'local' });
  });

  verifies('HOST-15', 'waits no longer than its timeout', async () => {
    const { host, puppet } = hostAndPuppet();
    const open = host.request('get_usage');
    await puppet.asked('get_usage');
    await host.close({ pending: 'drain', timeoutMs: 5 });
    await expect(open).rejects.toMatchObject({ code: 'closed' });
  });

  verifies('PROC-4', 'aborts the signal of a running callback and sends no answer of it', async () => {
    const aborted = vi.fn();
    const { host, puppet } = hostAndPuppet({
      canUseTool: (_, { signal }) => {
        signal.addEventListener('abort', aborted);
        return null;
      },
    });
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(host.state.questions).toBe(1));
    await host.close();
    expect(aborted).toHaveBeenCalledOnce();
    expect(host.respond('p1', { behavior: 'allow' })).toBe(false);
    expect(puppet.answers('p1')).toEqual([]);
    await host.close();
  });
});

describe('an interrupt', () => {
  const receipt = { still_queued: ['u2'] };

  verifies('HOST-18', 'is accepted if a turn was running, and lists the queued prompts', async () => {
    const { host, puppet } = hostAndPuppet();
    await host.prompt('long').accepted;
    puppet.say(assistant('working'));
    const interrupted = host.interrupt({ cancelQueued: true });
    const asked = await puppet.asked('interrupt');
    expect(asked['request']).toEqual({ subtype: 'interrupt', cancel_queued: true });
    // The result arrives in the same batch, but only the state before the receipt counts.
    puppet.succeed(asked, receipt);
    puppet.say(result({ is_error: true, terminal_reason: 'aborted_streaming' }));
    expect(await interrupted).toEqual({ ...receipt, outcome: 'accepted' });
    expect(await rest(host.untilResult())).toHaveLength(2);
    expect(host.state.last?.outcome).toBe('interrupted');
  });

  verifies('HOST-18', 'reports that no turn was running', async () => {
    const { host, puppet } = hostAndPuppet();
    await host.prompt('short').accepted;
    const interrupted = host.interrupt();
    const asked = await puppet.asked('interrupt');
    puppet.say(result());
    puppet.succeed(asked);
    expect(await interrupted).toEqual({ outcome: 'nothing_running' });
  });

  verifies('HOST-19', 'waits until the agent has answered initialize', async () => {
    const { host, puppet } = hostAndPuppet({}, { initialize: false });
    await host.prompt('long').accepted;
    const interrupted = host.interrupt();
    const asked = await puppet.asked('initialize');
    await puppet.received(({ type }) => type === 'user');
    await settled();
    expect(puppet.frames).toHaveLength(2);
    puppet.succeed(asked, CAPABILITIES);
    puppet.succeed(await puppet.asked('interrupt'), receipt);
    expect(await interrupted).toMatchObject({ outcome: 'accepted' });
  });

  test('fails when the receipt has the wrong shape', async () => {
    const { host, puppet } = hostAndPuppet();
    const interrupted = host.interrupt();
    puppet.succeed(await puppet.asked('interrupt'), { still_queued: 'all' });
    await expect(interrupted).rejects.toMatchObject({ code: 'invalid-message' });
  });

  test('cancels an open question first, and drops a late answer to it', async () => {
    const { host, puppet } = hostAndPuppet({ canUseTool: () => null });
    await host.prompt('go').accepted;
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(host.state.questions).toBe(1));
    const interrupted = host.interrupt();
    const asked = await puppet.asked('interrupt');
    puppet.say({ type: 'control_cancel_request', request_id: 'p1' });
    puppet.succeed(asked, { still_queued: [] });
    expect(await interrupted).toMatchObject({ outcome: 'accepted' });
    expect(host.respond('p1', { behavior: 'allow' })).toBe(false);
  });
});

verifies('HOST-10', 'every message to the program counts in the report and in the usage', async () => {
  const { host, puppet } = hostAndPuppet();
  const call = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'T1', name: 'Read', input: {} }] } };
  puppet.say(call, result({ total_cost_usd: 0.5 }));
  await puppet.transport.end();
  await rest(host);
  expect(host.report).toMatchObject({
    toolsRequested: 1,
    pendingTools: ['T1'],
    hasResult: true,
    streamEnded: true,
    issues: [{ code: 'missing-tool-result', toolUseId: 'T1' }],
  });
  expect(host.usage.totalCostUsd).toBe(0.5);
});

test('a slow reader slows the agent down, and loses no message', async () => {
  const { host, puppet } = hostAndPuppet({ limits: { pauseAboveBytes: 20_000, failAboveBytes: 10_000_000 } });
  await host.initialized;
  const count = 200;
  for (let index = 0; index < count; index++) puppet.say(assistant(String(index), { filler: 'x'.repeat(100_000) }));
  puppet.say(result());
  await puppet.transport.end();
  let seen = 0;
  for await (const message of host) {
    if (message.type === 'assistant') expect(message['message']).toMatchObject({ id: `msg_${seen++}` });
    if (seen % 50 === 0) await settled();
  }
  expect(seen).toBe(count);
});
