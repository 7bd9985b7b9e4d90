import type { WireMessage } from '@proto/core/framing';
import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { watchedSignal } from '@proto/test-support';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHookCallback, type HookCallbackOptions } from './hook-callback.ts';
import { createScriptedHost, type ScriptedHost } from '../scripted-host.test-support.ts';

/** A hook of a scripted host, and the messages to the user. */
function setUp(options: Partial<HookCallbackOptions> = {}) {
  const host = createScriptedHost();
  const sent: WireMessage[] = [];
  const watched = watchedSignal();
  const hook = createHookCallback('hook_0', {
    session: host.pending,
    send: (message) => sent.push(message),
    ...options,
  });
  const call = (event: string, toolUseID?: string) =>
    hook.callback({ hook_event_name: event, tool_name: 'Bash' }, toolUseID, watched.signal);
  return { ...host, ...watched, hook, call, sent };
}

const DENIED = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: `PreToolUse hook ${reason} (callback hook_0)`,
  },
});

describe('a hook of the host', () => {
  verifies('HOK-7', 'is called by its id, under the signal of its call', async () => {
    const { hook, call, bodies, answer, cancels, last, controller, listeners } = setUp({ timeoutSeconds: 5 });
    expect(hook).toEqual({ type: 'callback', timeout: 5, callback: expect.any(Function) });
    const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
    const called = call('PreToolUse', 'T1');
    answer(output);
    await expect(called).resolves.toEqual(output);
    expect(listeners()).toBe(0);
    const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    expect(bodies()).toEqual([{ subtype: 'hook_callback', callback_id: 'hook_0', input, tool_use_id: 'T1' }]);
    void call('Stop');
    void call('Stop', '');
    expect(
      bodies()
        .slice(1)
        .map((body) => 'tool_use_id' in body),
    ).toEqual([false, false]);
    controller.abort();
    expect(cancels()).toContain(last());
  });

  test('may answer as async or without a decision', async () => {
    const { call, answer, sent } = setUp();
    for (const output of [{ async: true, asyncTimeout: 100 }, {}, undefined]) {
      const called = call('PreToolUse', 'T1');
      answer(output);
      await expect(called).resolves.toEqual(output ?? {});
    }
    expect(sent).toEqual([]);
  });
});

describe('a hook with a bad answer', () => {
  const answers: readonly [string, (host: ScriptedHost) => unknown, string][] = [
    ['an error', ({ fail }) => fail('callback broke'), 'replied with an error: callback broke'],
    ['an invalid output', ({ answer }) => answer({ continue: 'yes' }), 'replied with an invalid output'],
  ];
  for (const [what, respond, text] of answers) {
    for (const event of ['PreToolUse', 'UserPromptSubmit', 'PostToolUse']) {
      verifies(
        ['HOK-26', 'HOK-27'],
        `(${what}) to ${event} makes no decision, and the user gets a message`,
        async () => {
          const bridge = setUp();
          const called = bridge.call(event, 'T1');
          respond(bridge);
          await expect(called).resolves.toEqual({});
          const content = `${event}: Hook callback hook_0 failed: the SDK host ${text}`;
          expect(bridge.sent).toEqual([
            { type: 'system', subtype: 'informational', content, level: 'warning', tag: 'hook_callback_failed' },
          ]);
        },
      );
    }

    verifies('HOK-27', `(${what}) is reported if a later message of the same chunk ends the call`, async () => {
      const bridge = setUp();
      const called = bridge.call('PreToolUse', 'T1');
      respond(bridge);
      bridge.controller.abort();
      await expect(called).resolves.toEqual({});
      expect(bridge.sent).toEqual([expect.objectContaining({ tag: 'hook_callback_failed' })]);
    });

    verifies('HOK-28', `(${what}) blocks if it was registered to block`, async () => {
      const outputs: unknown[] = [];
      for (const event of ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit']) {
        const bridge = setUp({ onFailure: 'block' });
        const called = bridge.call(event, 'T1');
        respond(bridge);
        outputs.push(await called);
        expect(bridge.sent).toEqual([]);
      }
      const reason = (event: string) => `${event} hook ${text} (callback hook_0)`;
      const decision = { behavior: 'deny', message: reason('PermissionRequest') };
      expect(outputs).toEqual([
        DENIED(text),
        { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } },
        { decision: 'block', reason: reason('UserPromptSubmit') },
      ]);
    });
  }
});

describe('a hook without an answer', () => {
  const silences: readonly [string, (bridge: ReturnType<typeof setUp>) => unknown, string][] = [
    ['an abort', ({ controller }) => controller.abort(), 'was cancelled before it responded'],
    ['the end of the input', ({ pending }) => pending.close(new TransportError('closed', 'x')), 'could not be reached'],
    ['a broken link', ({ pending }) => pending.close(new TransportError('lost', 'x')), 'could not be reached'],
  ];
  for (const [what, happen, text] of silences) {
    verifies(['HOK-31', 'PERMIT-1'], `because of ${what} denies the tool and blocks the prompt`, async () => {
      const tool = setUp();
      const called = tool.call('PreToolUse', 'T1');
      happen(tool);
      await expect(called).resolves.toEqual(DENIED(text));
      const prompt = setUp();
      const submitted = prompt.call('UserPromptSubmit');
      happen(prompt);
      const reason = `UserPromptSubmit hook ${text} (callback hook_0)`;
      await expect(submitted).resolves.toEqual({ decision: 'block', reason });
      // A hook after the tool call can no longer deny it.
      const after = setUp();
      const post = after.call('PostToolUse', 'T1');
      happen(after);
      await expect(post).resolves.toEqual({});
      expect([...tool.sent, ...prompt.sent, ...after.sent]).toEqual([]);
    });
  }

  verifies(['HOK-31', 'PERMIT-1'], 'because the session has already ended denies the tool', async () => {
    const { pending, call } = setUp();
    pending.close(new TransportError('closed', 'over'));
    await expect(call('PreToolUse', 'T1')).resolves.toEqual(DENIED('could not be reached'));
  });
});

describe('the timeout of a hook', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  verifies(['HOK-29', 'HOK-30'], 'cancels the call exactly in time, and denies the tool', async () => {
    const { call, cancels, last, answer, listeners } = setUp({ timeoutSeconds: 1 });
    const called = call('PreToolUse', 'T1');
    await vi.advanceTimersByTimeAsync(999);
    expect(cancels()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(cancels()).toEqual([last()]);
    await expect(called).resolves.toEqual(DENIED('did not respond before its timeout'));
    expect(listeners()).toBe(0);
    expect(answer({})).toBe('late');
  });

  verifies(
    ['HOK-29', 'HOK-35'],
    'blocks a prompt, and reports a failure to the user for a hook that cannot block',
    async () => {
      const { call, cancels, sent } = setUp({ timeoutSeconds: 0.5 });
      const prompt = call('UserPromptSubmit');
      const stop = call('Stop');
      await vi.advanceTimersByTimeAsync(500);
      expect(cancels()).toHaveLength(2);
      const reason = 'UserPromptSubmit hook did not respond before its timeout (callback hook_0)';
      await expect(prompt).resolves.toEqual({ decision: 'block', reason });
      await expect(stop).resolves.toEqual({});
      expect(sent).toMatchObject([{ tag: 'hook_callback_failed', content: expect.stringContaining('Stop: ') }]);
    },
  );

  test('refuses the shell command of a skill', async () => {
    const { call } = setUp({ timeoutSeconds: 0.5 });
    const called = call('PreSkillShellCommand');
    await vi.advanceTimersByTimeAsync(500);
    await expect(called).resolves.toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreSkillShellCommand',
        permissionDecision: 'deny',
        permissionDecisionReason: 'PreSkillShellCommand hook did not respond before its timeout (callback hook_0)',
      },
    });
  });

  test('does not apply if the answer arrives in time', async () => {
    const { call, answer, cancels } = setUp({ timeoutSeconds: 1 });
    const called = call('PreToolUse', 'T1');
    await vi.advanceTimersByTimeAsync(999);
    answer({});
    await expect(called).resolves.toEqual({});
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cancels()).toEqual([]);
  });

  for (const timeoutSeconds of [undefined, 0, 1e9, Number.POSITIVE_INFINITY]) {
    test(`is absent with the value ${timeoutSeconds}`, async () => {
      const { call, cancels } = setUp(timeoutSeconds === undefined ? {} : { timeoutSeconds });
      void call('PreToolUse', 'T1');
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(cancels()).toEqual([]);
    });
  }
});
