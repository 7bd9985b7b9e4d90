import { verifies } from '@proto/test-support/verifies';
import { watchedSignal } from '@proto/test-support';
import { describe, expect, test } from 'vitest';
import { createHookCallback, type HookCallbackOptions } from '../hooks/hook-callback.ts';
import { createCanUseTool } from './ask-host.ts';
import { runPermissionHooks } from './permission-hooks.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

/** A permission bridge with hooks of the host, so that one request per hook goes out with a question. */
function setUp(count: number, options: Partial<HookCallbackOptions> = {}) {
  const host = createScriptedHost();
  const { controller, signal } = watchedSignal();
  const hooks = Array.from({ length: count }, (_, n) =>
    createHookCallback(`hook_${n}`, { session: host.pending, send: () => {}, ...options }),
  );
  const canUseTool = createCanUseTool({
    session: host.pending,
    askHooks: ({ tool, input }, _ask, context, decide) => {
      const about = { hook_event_name: 'PermissionRequest', tool_name: tool, tool_input: input };
      return runPermissionHooks(hooks, about, context, decide);
    },
  });
  const decision = canUseTool('Bash', {}, { toolUseID: 'T1', signal });
  const ids = host.frames.map(({ request_id }) => String(request_id));
  return { ...host, controller, decision, ids };
}

const decides = (decision: unknown) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

describe('the hooks of a permission', () => {
  verifies(['HOK-22', 'HOK-24'], 'are asked after the host, and the first to decide cancels the question', async () => {
    const { bodies, ids, answer, decision, cancels } = setUp(2);
    expect(bodies().map(({ subtype, callback_id }) => [subtype, callback_id])).toEqual([
      ['can_use_tool', undefined],
      ['hook_callback', 'hook_0'],
      ['hook_callback', 'hook_1'],
    ]);
    answer(decides({ behavior: 'deny', message: 'by rule' }), ids[2]);
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'hook', message: 'by rule' });
    expect(cancels()).toEqual([ids[0]]);
    expect(answer(decides({ behavior: 'allow' }), ids[1])).toBe('settled');
    await expect(decision).resolves.toMatchObject({ behavior: 'deny' });
  });

  // The answers follow each other without a pause, as if they arrived in one chunk of the input.
  describe('whose answers come together with the answer of the host', () => {
    const allow = { behavior: 'allow' };
    const deny = { behavior: 'deny', message: 'by rule' };

    verifies(['HOK-23', 'PERMIT-1'], 'decide if a decision of a hook comes first', async () => {
      const { ids, answer, decision, cancels } = setUp(1);
      answer(decides(deny), ids[1]);
      expect(cancels()).toEqual([ids[0]]);
      expect(answer(allow, ids[0])).toBe('late');
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'hook' });
    });

    verifies(['HOK-23', 'PERMIT-1'], 'decide if the failure of a hook that blocks comes first', async () => {
      const { ids, answer, fail, decision } = setUp(1, { onFailure: 'block' });
      fail('broken', ids[1]);
      expect(answer(allow, ids[0])).toBe('late');
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'hook' });
    });

    verifies('HOK-25', 'do not decide if the host comes first', async () => {
      const { ids, answer, decision, cancels } = setUp(1);
      answer(deny, ids[0]);
      answer(decides(allow), ids[1]);
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'host' });
      expect(cancels()).toEqual([]);
    });

    test('decide in the order of their answers', async () => {
      const { ids, answer, decision } = setUp(2);
      answer(decides(deny), ids[2]);
      answer(decides(allow), ids[1]);
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'hook' });
    });

    test('leave the decision to the host if their answer has none', async () => {
      const { ids, answer, decision } = setUp(1);
      answer({}, ids[1]);
      answer(allow, ids[0]);
      await expect(decision).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host' });
    });
  });

  verifies(
    ['PERMIT-8', 'PERMIT-1'],
    'leave the decision to the host if they fail or answer something else',
    async () => {
      const { ids, answer, fail, decision } = setUp(5);
      fail('broken', ids[1]);
      answer({}, ids[2]);
      answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', decision: { behavior: 'allow' } } }, ids[3]);
      answer(decides({ behavior: 'maybe' }), ids[4]);
      answer({ async: true }, ids[5]);
      await new Promise((resolve) => setImmediate(resolve));
      answer({ behavior: 'deny', message: 'no' }, ids[0]);
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'host' });
    },
  );

  test('are cancelled with the question when the turn is aborted', async () => {
    const { ids, cancels, controller, decision } = setUp(2);
    controller.abort();
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
    expect(new Set(cancels())).toEqual(new Set(ids));
  });
});
