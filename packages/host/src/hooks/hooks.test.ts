import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { CAPABILITIES, hostAndPuppet, request, settled } from '../puppet-agent.test-support.ts';

describe('hooks', () => {
  verifies(
    ['CTL-28', 'HOK-33', 'HOK-45', 'HOK-47'],
    'hooks are announced at the start and called by their ids, and their answers are sent back',
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

  test('a failed hook is answered with an error, which the agent handles according to onFailure', async () => {
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

  test('with onFailure block, prompts wait until the agent has confirmed that it supports blocking', async () => {
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
    await puppet.received((frame) => frame['uuid'] === uuid);
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
