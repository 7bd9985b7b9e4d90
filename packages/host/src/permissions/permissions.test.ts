import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { HostSessionOptions } from '../host-options.ts';
import { CAPABILITIES, hostAndPuppet, permission, request, result, settled } from '../puppet-agent.test-support.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;

const decide = (canUseTool: CanUseTool) => hostAndPuppet({ canUseTool });

describe('permissions', () => {
  verifies(['PRM-40', 'HOST-8'], 'a permission request calls the callback, and its decision is sent back', async () => {
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

  verifies('PRM-41', 'a plain allow sends the input back, which older agents need', async () => {
    const { puppet } = decide(() => ({ behavior: 'allow' }));
    puppet.say(permission('p1'));
    const { response } = await puppet.answer('p1');
    expect(response).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 'T1' });
  });

  test('a denial always has a message for the model', async () => {
    const { puppet } = decide(() => ({ behavior: 'deny' }));
    puppet.say(permission('p1'));
    const { response } = await puppet.answer('p1');
    expect(response).toMatchObject({ behavior: 'deny', message: 'The host refused this tool call.' });
  });

  const WRONG: Readonly<Record<string, () => unknown>> = {
    'no result': () => undefined,
    'another behavior': () => ({ behavior: 'maybe' }),
    'an invalid input': () => ({ behavior: 'allow', updatedInput: 'ls' }),
    'a promise of text': async () => 'allow',
    'a thrown error': () => {
      throw new Error('broken policy');
    },
    'a rejection': async () => Promise.reject(new Error('broken policy')),
  };
  verifies('PERMIT-1', 'only a valid allow allows a tool call', async () => {
    for (const [name, answer] of Object.entries(WRONG)) {
      const { puppet } = decide(answer as CanUseTool);
      puppet.say(permission('p1'));
      expect(await puppet.answer('p1'), name).toMatchObject({ subtype: 'error' });
    }
    const { puppet } = hostAndPuppet();
    puppet.say(permission('p1'));
    expect(await puppet.answer('p1')).toMatchObject({ error: 'canUseTool callback is not provided.' });
  });

  test('a malformed request is refused without a call of the callback', async () => {
    const canUseTool = vi.fn<CanUseTool>();
    const { puppet } = decide(canUseTool);
    puppet.say(permission('p1', { input: 'ls' }));
    expect((await puppet.answer('p1'))['error']).toBe('invalid can_use_tool: input: expected object');
    expect(canUseTool).not.toHaveBeenCalled();
  });

  verifies('PERMIT-14', 'an answer may be given later by `respond`, and only once', async () => {
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

  verifies(
    'PERMIT-14',
    'an answer by `respond` applies while the callback still runs, and aborts its signal',
    async () => {
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
      // A second request with the same id is another question, which the first callback cannot answer.
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
    },
  );

  test('a question that the agent cancels is closed: its signal aborts, and no answer is sent', async () => {
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

  test('a question is asked once while it is open, and again after its answer', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => null);
    const { host, puppet } = decide(canUseTool);
    puppet.say(permission('p1'), permission('p1'));
    await vi.waitFor(() => expect(host.respond('p1', { behavior: 'allow' })).toBe(true));
    await puppet.answer('p1');
    expect(canUseTool).toHaveBeenCalledOnce();
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledTimes(2));
  });

  test('a question from before the host connected is asked once, even if it also arrives live', async () => {
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

  test('an open question is not asked again when the handshake is repeated', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => null);
    const { host, puppet } = decide(canUseTool);
    await host.initialized;
    puppet.say(permission('p1'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledOnce());
    const again = host.reinitialize();
    const first = puppet.frames[0];
    const second = await puppet.received((frame) => frame.type === 'control_request' && frame !== first);
    puppet.succeed(second, CAPABILITIES, { pending_permission_requests: [permission('p1'), permission('p2')] });
    await again;
    await vi.waitFor(() => expect(host.respond('p2', { behavior: 'allow' })).toBe(true));
    expect(canUseTool.mock.calls.map(([, { requestId }]) => requestId)).toEqual(['p1', 'p2']);
    expect(host.respond('p1', { behavior: 'allow' })).toBe(true);
  });

  test('requests are served before the agent answers initialize', async () => {
    const { puppet } = hostAndPuppet({ canUseTool: () => ({ behavior: 'allow' }) }, { initialize: false });
    puppet.say(permission('p1'));
    expect(await puppet.answer('p1')).toMatchObject({ subtype: 'success' });
  });
});
