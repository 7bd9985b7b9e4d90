import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { failure } from '@proto/test-support';
import { describe, expect, vi } from 'vitest';
import { createBridge } from './ask-host.test-support.ts';

describe('whatever goes wrong', () => {
  const FAILED = { behavior: 'deny', toolUseID: 'T1', decidedBy: 'failure', interrupt: false };

  const outcomes: readonly [string, (bridge: ReturnType<typeof createBridge>) => void, string][] = [
    ['an error answer', ({ fail }) => void fail('host error text'), 'Error: host error text'],
    [
      'an unknown behavior',
      ({ answer }) => void answer({ behavior: 'maybe' }),
      'Error: invalid answer to can_use_tool; behavior: expected a known value',
    ],
    [
      'a malformed input',
      ({ answer }) => void answer({ behavior: 'allow', updatedInput: 'rm' }),
      'Error: invalid answer to can_use_tool; updatedInput: expected object',
    ],
    [
      'an answer without a payload',
      ({ answer }) => void answer(undefined),
      'Error: invalid answer to can_use_tool; behavior: expected a known value',
    ],
    [
      'an error that is no text',
      ({ pending, last }) => void pending.settle(failure(last(), { no: 'text' })),
      'Error: invalid answer to can_use_tool; behavior: expected a known value',
    ],
    [
      'the end of the input',
      ({ pending }) => pending.close(new TransportError('closed', 'the input ended')),
      'AbortError: Tool permission stream closed before response received',
    ],
    [
      'a broken link',
      ({ pending }) => pending.close(new TransportError('lost', 'stdio: lost')),
      'TransportError: stdio: lost',
    ],
    ['an abort', ({ controller }) => controller.abort(), 'AbortError: This operation was aborted'],
    ['an abort with a reason that is no error', ({ controller }) => controller.abort('user-cancel'), 'user-cancel'],
  ];
  for (const [what, happen, text] of outcomes) {
    verifies(['S1-26', 'R-23.1', 'R-23.2'], `${what} is a denial, and not the user’s`, async () => {
      const bridge = createBridge();
      const decision = bridge.ask();
      happen(bridge);
      await expect(decision).resolves.toMatchObject({
        ...FAILED,
        message: `Tool permission request failed: ${text}`,
        error: expect.anything(),
      });
    });
  }

  verifies(
    ['S1-26', 'R-23.1'],
    'a session that is over, a turn that is aborted: the question is never sent',
    async () => {
      const over = createBridge();
      over.pending.close(new TransportError('closed', 'over'));
      await expect(over.ask()).resolves.toMatchObject(FAILED);
      const aborted = createBridge({ localPermissionCheck: () => ({ behavior: 'allow' }) });
      aborted.controller.abort();
      await expect(aborted.ask()).resolves.toMatchObject(FAILED);
      expect([...over.frames, ...aborted.frames]).toEqual([]);
    },
  );

  verifies(['S1-26', 'R-23.1'], 'a callback of the agent that throws allows nothing', async () => {
    const broken = () => {
      throw new Error('bug');
    };
    const checks = [
      createBridge({ localPermissionCheck: broken }),
      createBridge({ localPermissionCheck: () => ({ behavior: 'perhaps' }) as never }),
      createBridge({ localPermissionCheck: () => undefined as never }),
      createBridge({ onPermissionPrompt: broken }),
    ];
    for (const { ask, frames } of checks) {
      await expect(ask()).resolves.toMatchObject(FAILED);
      expect(frames).toEqual([]);
    }
    const { ask, answer } = createBridge({ applyPermissionUpdates: broken });
    const decision = ask();
    answer({
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
    });
    await expect(decision).resolves.toMatchObject(FAILED);
  });

  verifies('R-23.1', 'an abort behind the answer, before the tool could run, is no permission', async () => {
    const { ask, answer, controller } = createBridge();
    const decision = ask();
    answer({ behavior: 'allow' });
    controller.abort();
    await expect(decision).resolves.toMatchObject(FAILED);
  });

  verifies('R-23.1', 'an abort while the rules are asked keeps the question from anybody', async () => {
    const onPermissionPrompt = vi.fn();
    const bridge = createBridge({
      onPermissionPrompt,
      localPermissionCheck() {
        bridge.controller.abort();
        return { behavior: 'ask' };
      },
    });
    await expect(bridge.ask()).resolves.toMatchObject(FAILED);
    expect(onPermissionPrompt).not.toHaveBeenCalled();
    expect(bridge.frames).toEqual([]);
  });

  verifies('R-23.1', 'an abort from within the report of the question leaves nothing behind', async () => {
    const bridge = createBridge({ onPermissionPrompt: () => bridge.controller.abort() });
    await expect(bridge.ask()).resolves.toMatchObject(FAILED);
    expect(bridge.frames).toEqual([]);
    expect(bridge.pending.size).toBe(0);
  });
});
