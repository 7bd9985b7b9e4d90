import { verifies } from '@proto/requirements';
import { describe, expect, test, vi } from 'vitest';
import type { HostSessionOptions } from './host-options.ts';
import { CAPABILITIES, hostAndPuppet, permission, request, result, settled } from './puppet-agent.test-support.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;

const decide = (canUseTool: CanUseTool) => hostAndPuppet({ canUseTool });

describe('permissions', () => {
  verifies('S4-13', 'a request for a permission goes to the callback, and its decision back', async () => {
    const canUseTool = vi.fn<CanUseTool>(({ input }) =>
      input['command'] === 'ls'
        ? { behavior: 'allow', updatedInput: { command: 'ls -l' } }
        : { behavior: 'deny', message: 'only ls', interrupt: true },
    );
    const { puppet } = decide(canUseTool);
    puppet.say(permission('p1'), permission('p2', { input: { command: 'rm' }, tool_use_id: 'T2' }));
    expect((await puppet.answer('p1'))['response']).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls -l' },
      toolUseID: 'T1',
    });
    expect((await puppet.answer('p2'))['response']).toEqual({
      behavior: 'deny',
      message: 'only ls',
      interrupt: true,
      toolUseID: 'T2',
    });
    expect(canUseTool.mock.calls[0]?.[0]).toMatchObject({ tool_name: 'Bash', tool_use_id: 'T1' });
    expect(canUseTool.mock.calls[0]?.[1]).toMatchObject({ requestId: 'p1' });
  });

  verifies('S4-13', 'a plain allow runs the input as it was, also with agents that need to be told', async () => {
    const { puppet } = decide(() => ({ behavior: 'allow' }));
    puppet.say(permission('p1'));
    const { response } = await puppet.answer('p1');
    expect(response).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 'T1' });
  });

  test('a denial always says something to the model', async () => {
    const { puppet } = decide(() => ({ behavior: 'deny' }));
    puppet.say(permission('p1'));
    const { response } = await puppet.answer('p1');
    expect(response).toMatchObject({ behavior: 'deny', message: 'The host refused this tool call.' });
  });

  const WRONG: Readonly<Record<string, () => unknown>> = {
    'nothing at all': () => undefined,
    'another behavior': () => ({ behavior: 'maybe' }),
    'an input that is none': () => ({ behavior: 'allow', updatedInput: 'ls' }),
    'a promise of text': async () => 'allow',
    'a throw': () => {
      throw new Error('broken policy');
    },
    'a rejection': async () => Promise.reject(new Error('broken policy')),
  };
  verifies('R-23.1', 'nothing but a valid allow allows', async () => {
    for (const [name, answer] of Object.entries(WRONG)) {
      const { puppet } = decide(answer as CanUseTool);
      puppet.say(permission('p1'));
      expect(await puppet.answer('p1'), name).toMatchObject({ subtype: 'error' });
    }
    const { puppet } = hostAndPuppet();
    puppet.say(permission('p1'));
    expect(await puppet.answer('p1')).toMatchObject({ error: 'canUseTool callback is not provided.' });
  });

  test('a request of the wrong shape is refused, and nobody asked', async () => {
    const canUseTool = vi.fn<CanUseTool>();
    const { puppet } = decide(canUseTool);
    puppet.say(permission('p1', { input: 'ls' }));
    expect((await puppet.answer('p1'))['error']).toBe('invalid can_use_tool: input: expected object');
    expect(canUseTool).not.toHaveBeenCalled();
  });

  verifies('R-8.4', 'an answer may come later, from elsewhere, and counts once', async () => {
    const { host, puppet } = decide(() => null);
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(host.state.questions).toBe(1));
    expect(host.state.session).toBe('requires_action');
    expect(host.respond('p1', { behavior: 'allow' })).toBe(true);
    expect(host.respond('p1', { behavior: 'deny' })).toBe(false);
    expect(host.respond('other', { behavior: 'allow' })).toBe(false);
    expect((await puppet.answer('p1'))['response']).toMatchObject({ behavior: 'allow' });
    await settled();
    expect(puppet.answers('p1')).toHaveLength(1);
    expect(host.state).toMatchObject({ questions: 0, session: 'idle' });
  });

  verifies('R-8.4', 'an answer from elsewhere counts while the callback still thinks, which hears of it', async () => {
    const late: (() => void)[] = [];
    const reasons: unknown[] = [];
    const { host, puppet } = decide(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message));
          late.push(() => resolve({ behavior: 'deny' }));
        }),
    );
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(host.respond('p1', { behavior: 'allow' })).toBe(true));
    expect(reasons).toEqual(['answered elsewhere']);
    await puppet.answer('p1');
    // The same id again is another question, which the first callback has no say in.
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(late).toHaveLength(2));
    late[0]?.();
    await settled();
    expect(host.state.questions).toBe(1);
    late[1]?.();
    await vi.waitFor(() => expect(puppet.answers('p1')).toHaveLength(2));
    expect(puppet.answers('p1')).toMatchObject([
      { response: { behavior: 'allow' } },
      { response: { behavior: 'deny' } },
    ]);
    expect(reasons).toHaveLength(1);
  });

  test('what the agent takes back is closed: its signal aborts, and no answer goes out', async () => {
    const aborted = vi.fn();
    const { host, puppet } = decide((_, { signal }) => {
      signal.addEventListener('abort', aborted);
      return null;
    });
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(host.state.questions).toBe(1));
    puppet.say({ type: 'control_cancel_request', request_id: 'p1' }, result());
    await host.untilResult().next();
    expect(aborted).toHaveBeenCalledOnce();
    expect(host.respond('p1', { behavior: 'allow' })).toBe(false);
    expect(host.state.questions).toBe(0);
    await settled();
    expect(puppet.answers('p1')).toEqual([]);
  });

  test('the same question while it is open is asked once; after its answer it is a new one', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => null);
    const { host, puppet } = decide(canUseTool);
    puppet.say(permission('p1'), permission('p1'));
    await vi.waitFor(() => expect(host.respond('p1', { behavior: 'allow' })).toBe(true));
    await puppet.answer('p1');
    expect(canUseTool).toHaveBeenCalledOnce();
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledTimes(2));
  });

  test('what was open before this host came is asked once, also when it comes live too', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => null);
    const { host, puppet } = hostAndPuppet(
      { canUseTool, onElicitation: () => ({ action: 'accept' }) },
      { initialize: false },
    );
    const asked = await puppet.asked('initialize');
    puppet.say(permission('live'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledOnce());
    expect(host.respond('live', { behavior: 'allow' })).toBe(true);
    puppet.succeed(asked, CAPABILITIES, {
      pending_permission_requests: [permission('live'), permission('old'), { type: 'control_request' }, null],
      pending_elicitation_requests: [request('e1', { subtype: 'elicitation', mcp_server_name: 's', message: 'm' })],
      pending_user_dialog_requests: 'none',
    });
    puppet.say(permission('old'), result());
    await host.untilResult().next();
    expect(canUseTool.mock.calls.map(([, { requestId }]) => requestId)).toEqual(['live', 'old']);
    expect((await puppet.answer('e1'))['response']).toEqual({ action: 'accept' });
  });

  test('a question that is open here is not asked again when the handshake is repeated', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => null);
    const { host, puppet } = decide(canUseTool);
    await host.initialized;
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledOnce());
    const again = host.reinitialize();
    const first = puppet.frames[0];
    const second = await puppet.heard((frame) => frame.type === 'control_request' && frame !== first);
    puppet.succeed(second, CAPABILITIES, { pending_permission_requests: [permission('p1'), permission('p2')] });
    await again;
    await vi.waitFor(() => expect(host.respond('p2', { behavior: 'allow' })).toBe(true));
    expect(canUseTool.mock.calls.map(([, { requestId }]) => requestId)).toEqual(['p1', 'p2']);
    expect(host.respond('p1', { behavior: 'allow' })).toBe(true);
  });

  test('they are served while initialize is still open', async () => {
    const { puppet } = hostAndPuppet({ canUseTool: () => ({ behavior: 'allow' }) }, { initialize: false });
    puppet.say(permission('p1'));
    expect(await puppet.answer('p1')).toMatchObject({ subtype: 'success' });
  });
});

describe('hooks', () => {
  verifies(
    ['S4-06', 'S4-14'],
    'hooks are announced at the start, called by their ids, and their answers sent back',
    async () => {
      const before = vi.fn(() => ({ decision: 'block' as const, reason: 'not here' }));
      const after = vi.fn();
      const { puppet, host } = hostAndPuppet({
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [before, after], timeoutMs: 5000 }, { hooks: [after] }],
          Stop: [{ hooks: [after] }],
        },
      });
      expect((await puppet.asked('initialize'))['request']).toEqual({
        subtype: 'initialize',
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 5 },
            { hookCallbackIds: ['hook_2'] },
          ],
          Stop: [{ hookCallbackIds: ['hook_3'] }],
        },
      });
      const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {}, tool_use_id: 'T1' };
      const call = (id: string, hook: string) =>
        puppet.say(request(id, { subtype: 'hook_callback', callback_id: hook, input, tool_use_id: 'T1' }));
      call('h1', 'hook_0');
      call('h2', 'hook_1');
      expect((await puppet.answer('h1'))['response']).toEqual({ decision: 'block', reason: 'not here' });
      expect((await puppet.answer('h2'))['response']).toEqual({});
      expect(before).toHaveBeenCalledWith(input, expect.objectContaining({ toolUseID: 'T1', requestId: 'h1' }));
      await host.close();
    },
  );

  test('a failure is an error answer, for the agent to judge by onFailure', async () => {
    const { puppet } = hostAndPuppet({
      hooks: {
        Stop: [{ hooks: [() => Promise.reject(new Error('hook broke')), () => ({ continue: 'yes' }) as never] }],
      },
    });
    const call = (id: string, callback_id: string, input: unknown = { hook_event_name: 'Stop' }) =>
      puppet.say(request(id, { subtype: 'hook_callback', callback_id, input }));
    call('h1', 'hook_0');
    call('h2', 'hook_1');
    call('h3', 'hook_9');
    call('h4', 'hook_0', {});
    expect((await puppet.answer('h1'))['error']).toBe('hook broke');
    expect((await puppet.answer('h2'))['error']).toBe('invalid answer of hook_1: continue: expected boolean');
    expect((await puppet.answer('h3'))['error']).toBe('No hook callback found for ID: hook_9');
    expect((await puppet.answer('h4'))['error']).toBe('invalid hook_callback: input.hook_event_name: expected string');
  });

  test('where a failure must block, prompts wait until the agent has said that it can', async () => {
    const hooks = { PreToolUse: [{ hooks: [() => ({})], onFailure: 'block' as const }] };
    const { host, puppet } = hostAndPuppet({ hooks }, { initialize: false });
    const prompted = host.prompt('go');
    const asked = await puppet.asked('initialize');
    expect(asked['request']).toMatchObject({ hooks: { PreToolUse: [{ onFailure: 'block' }] } });
    await settled();
    expect(puppet.frames.filter(({ type }) => type === 'user')).toEqual([]);
    puppet.succeed(asked, { ...CAPABILITIES, hook_on_failure_supported: true });
    await prompted.accepted;
    const { uuid } = prompted;
    await puppet.heard((frame) => frame['uuid'] === uuid);
  });

  test('an agent that cannot block gets no prompt', async () => {
    const hooks = { PreToolUse: [{ hooks: [() => ({})], onFailure: 'block' as const }] };
    const { host, puppet } = hostAndPuppet({ hooks });
    await expect(host.prompt('go').accepted).rejects.toThrow('hook_on_failure_supported');
    await expect(host.initialized).rejects.toThrow('hook_on_failure_supported');
    await expect(host.prompt('again').accepted).rejects.toThrow('hook_on_failure_supported');
    await settled();
    expect(puppet.frames.filter(({ type }) => type === 'user')).toEqual([]);
  });
});

describe('elicitation and dialogs', () => {
  const elicitation = request('e1', { subtype: 'elicitation', mcp_server_name: 'lab', message: 'Sure?' });
  const dialog = request('d1', { subtype: 'request_user_dialog', dialog_kind: 'survey', payload: { stars: 5 } });

  test('a question of a server goes to the callback; without one it is declined', async () => {
    const { puppet } = hostAndPuppet({
      onElicitation: ({ message }) => ({ action: 'accept', content: { message } }),
    });
    puppet.say(elicitation);
    expect((await puppet.answer('e1'))['response']).toEqual({ action: 'accept', content: { message: 'Sure?' } });
    const without = hostAndPuppet();
    without.puppet.say(elicitation);
    expect((await without.puppet.answer('e1'))['response']).toEqual({ action: 'decline' });
  });

  test('dialogs are announced by kind, and shown by their callbacks', async () => {
    const survey = vi.fn(() => ({ behavior: 'completed' as const, result: 4 }));
    const { puppet } = hostAndPuppet({ dialogs: { survey } });
    expect((await puppet.asked('initialize'))['request']).toMatchObject({ supportedDialogKinds: ['survey'] });
    puppet.say(dialog);
    expect((await puppet.answer('d1'))['response']).toEqual({ behavior: 'completed', result: 4 });
    expect(survey).toHaveBeenCalledWith(expect.objectContaining({ payload: { stars: 5 } }), expect.anything());
  });

  test('a dialog that fails is cancelled, one of another kind refused at once', async () => {
    const { puppet } = hostAndPuppet({ dialogs: { survey: () => Promise.reject(new Error('no screen')) } });
    puppet.say(dialog, request('d2', { subtype: 'request_user_dialog', dialog_kind: 'other', payload: {} }));
    expect((await puppet.answer('d1'))['response']).toEqual({ behavior: 'cancelled' });
    expect(await puppet.answer('d2')).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
  });
});

test('unknown requests are refused at once, further ones are served by handlers of the program', async () => {
  const { puppet } = hostAndPuppet({ handlers: { oauth_token_refresh: () => ({ token: null }) } });
  puppet.say(request('r1', { subtype: 'no_such_thing' }), request('r2', { subtype: 'oauth_token_refresh' }));
  expect(await puppet.answer('r1')).toMatchObject({
    error: 'Unsupported control request subtype: no_such_thing',
    error_code: 'unsupported_request',
  });
  expect((await puppet.answer('r2'))['response']).toEqual({ token: null });
});
