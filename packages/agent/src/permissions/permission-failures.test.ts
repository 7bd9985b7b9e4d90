import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { failure } from '@proto/test-support';
import { describe, expect, vi } from 'vitest';
import { createBridge } from './ask-host.test-support.ts';

describe('a failed permission question', () => {
  const FAILED = { behavior: 'deny', toolUseID: 'T1', decidedBy: 'failure', interrupt: false };

  const outcomes: readonly [string, (bridge: ReturnType<typeof createBridge>) => void, string][] = [
    ['an error answer', ({ fail }) => void fail('host error text'), 'Error: host error text'],
    [
      'an unknown behavior',
      ({ answer }) => void answer({ behavior: 'maybe' }),
      'Error: invalid answer to can_use_tool; behavior: expected "allow" or "deny"',
    ],
    [
      'a malformed input',
      ({ answer }) => void answer({ behavior: 'allow', updatedInput: 'rm' }),
      'Error: invalid answer to can_use_tool; updatedInput: expected object',
    ],
    [
      'an answer without a payload',
      ({ answer }) => void answer(undefined),
      'Error: invalid answer to can_use_tool; behavior: expected "allow" or "deny"',
    ],
    [
      'an error without a text',
      ({ pending, last }) => void pending.settle(failure(last(), { no: 'text' })),
      'Error: invalid answer to can_use_tool; behavior: expected "allow" or "deny"',
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
    ['an abort with a reason that is not an error', ({ controller }) => controller.abort('user-cancel'), 'user-cancel'],
  ];
  for (const [what, happen, text] of outcomes) {
    verifies(
      ['PRM-20', 'PRM-21', 'PRM-22', 'PERMIT-1', 'PERMIT-2'],
      `(${what}) is a denial, but not by the user`,
      async () => {
        const bridge = createBridge();
        const decision = bridge.ask();
        happen(bridge);
        await expect(decision).resolves.toMatchObject({
          ...FAILED,
          message: `Tool permission request failed: ${text}`,
          error: expect.anything(),
        });
      },
    );
  }

  verifies('PERMIT-1', 'is never sent after the end of the session or the abort of the turn', async () => {
    const over = createBridge();
    over.pending.close(new TransportError('closed', 'over'));
    await expect(over.ask()).resolves.toMatchObject(FAILED);
    const aborted = createBridge({ check: () => ({ behavior: 'allow' }) });
    aborted.controller.abort();
    await expect(aborted.ask()).resolves.toMatchObject(FAILED);
    expect([...over.frames, ...aborted.frames]).toEqual([]);
  });

  verifies('PERMIT-1', 'denies the call if a callback of the agent throws', async () => {
    const broken = () => {
      throw new Error('bug');
    };
    const checks = [
      createBridge({ check: broken }),
      createBridge({ check: () => ({ behavior: 'perhaps' }) as never }),
      createBridge({ check: () => undefined as never }),
      createBridge({ onPermissionPrompt: broken }),
    ];
    for (const { ask, frames } of checks) {
      await expect(ask()).resolves.toMatchObject(FAILED);
      expect(frames).toEqual([]);
    }
    const { ask, answer } = createBridge({ onUpdates: broken });
    const decision = ask();
    answer({
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
    });
    await expect(decision).resolves.toMatchObject(FAILED);
  });

  verifies(
    'PERMIT-1',
    'denies the call if the turn is aborted after the answer, but before the tool runs',
    async () => {
      const { ask, answer, controller } = createBridge();
      const decision = ask();
      answer({ behavior: 'allow' });
      controller.abort();
      await expect(decision).resolves.toMatchObject(FAILED);
    },
  );

  verifies('PRM-24', 'keeps the changes of an approval if the turn is aborted right after it', async () => {
    const applied: unknown[] = [];
    const { ask, answer, controller } = createBridge({ onUpdates: (updates) => applied.push(...updates) });
    const decision = ask();
    const update = { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }], destination: 'session' };
    answer({ behavior: 'allow', updatedPermissions: [update] });
    controller.abort();
    await expect(decision).resolves.toMatchObject(FAILED);
    expect(applied).toEqual([update]);
  });

  verifies('PERMIT-1', 'is sent to nobody if the turn is aborted while the rules are asked', async () => {
    const onPermissionPrompt = vi.fn();
    const bridge = createBridge({
      onPermissionPrompt,
      check() {
        bridge.controller.abort();
        return { behavior: 'ask' };
      },
    });
    await expect(bridge.ask()).resolves.toMatchObject(FAILED);
    expect(onPermissionPrompt).not.toHaveBeenCalled();
    expect(bridge.frames).toEqual([]);
  });

  verifies('PERMIT-1', 'leaves no request if the turn is aborted while the question is reported', async () => {
    const bridge = createBridge({ onPermissionPrompt: () => bridge.controller.abort() });
    await expect(bridge.ask()).resolves.toMatchObject(FAILED);
    expect(bridge.frames).toEqual([]);
    expect(bridge.pending.size).toBe(0);
  });
});
