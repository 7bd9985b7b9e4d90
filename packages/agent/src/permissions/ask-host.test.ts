import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { askOwnHooks, createBridge, hookByHand, INPUT, isOpen } from './ask-host.test-support.ts';
import type { PermissionDecision } from './permission-decision.ts';

const ALLOWED = { behavior: 'allow', toolUseID: 'T1', input: INPUT, updatedPermissions: [] };

describe('the rules of the agent', () => {
  verifies('PRM-3', 'decide without a question to the host', async () => {
    const allow = createBridge({ check: () => ({ behavior: 'allow' }) });
    await expect(allow.ask()).resolves.toEqual({ ...ALLOWED, decidedBy: 'rules' });
    const deny = createBridge({ check: async () => ({ behavior: 'deny', message: 'not here' }) });
    await expect(deny.ask()).resolves.toEqual({
      behavior: 'deny',
      toolUseID: 'T1',
      decidedBy: 'rules',
      message: 'not here',
      interrupt: false,
    });
    expect([...allow.frames, ...deny.frames]).toEqual([]);
  });

  verifies('PERMIT-3', 'are not asked where the turn forces a decision', async () => {
    const check = vi.fn(() => ({ behavior: 'allow' }) as const);
    const { ask, frames, bodies, answer } = createBridge({ check });
    const deny = { behavior: 'deny', message: 'not this one' } as const;
    await expect(ask({ forcedDecision: deny })).resolves.toMatchObject({ ...deny, decidedBy: 'rules' });
    const allow = { behavior: 'allow', updatedInput: { n: 2 } } as const;
    await expect(ask({ forcedDecision: allow })).resolves.toMatchObject({ behavior: 'allow', input: { n: 2 } });
    // A denial by the turn overrides the earlier decision of a hook.
    const hookDecision = { behavior: 'allow' } as const;
    await expect(ask({ forcedDecision: deny, hookDecision })).resolves.toMatchObject(deny);
    const invalid = { behavior: 'perhaps' } as never;
    await expect(ask({ forcedDecision: invalid })).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
    expect(frames).toEqual([]);
    const decision = ask({ forcedDecision: { behavior: 'ask', decisionReason: { type: 'other', reason: 'unsure' } } });
    await vi.waitFor(() =>
      expect(bodies()).toMatchObject([{ decision_reason: 'unsure', decision_reason_type: 'other' }]),
    );
    answer({ behavior: 'allow' });
    await expect(decision).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host' });
    expect(check).not.toHaveBeenCalled();
  });

  verifies('PERMIT-3', 'yield to the decision of a hook before the call, unless they deny', async () => {
    const ask = { behavior: 'ask', decisionReason: { type: 'hook' } } as const;
    const allowed = createBridge({ check: () => ({ behavior: 'allow' }) });
    const decision = allowed.ask({ hookDecision: ask });
    await vi.waitFor(() => expect(allowed.bodies()).toMatchObject([{ decision_reason_type: 'hook' }]));
    allowed.answer({ behavior: 'allow' });
    await expect(decision).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host' });

    const open = createBridge({ check: () => ({ behavior: 'ask' }) });
    const allow = { behavior: 'allow' } as const;
    await expect(open.ask({ hookDecision: allow })).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'hook' });

    const denied = createBridge({ check: () => ({ behavior: 'deny', message: 'a rule' }) });
    for (const hookDecision of [ask, allow]) {
      await expect(denied.ask({ hookDecision })).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'rules' });
    }
    expect([...open.frames, ...denied.frames]).toEqual([]);
  });

  verifies(
    ['PERMIT-6', 'PRM-37', 'PERMIT-7'],
    'leave the decision to the host, with details for the question',
    async () => {
      const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] as const;
      const { ask, bodies } = createBridge({
        check: () => ({
          behavior: 'ask',
          suggestions,
          blockedPath: '/etc/hosts',
          decisionReason: { type: 'workingDir', reason: 'outside of the directory' },
          request: { display_name: 'Bash', description: 'List files' },
        }),
      });
      void ask({ agentID: 'sub-1' });
      await vi.waitFor(() => expect(bodies()).toHaveLength(1));
      expect(bodies()).toEqual([
        {
          subtype: 'can_use_tool',
          tool_name: 'Bash',
          display_name: 'Bash',
          description: 'List files',
          input: INPUT,
          permission_suggestions: suggestions,
          blocked_path: '/etc/hosts',
          decision_reason: 'outside of the directory',
          decision_reason_type: 'workingDir',
          tool_use_id: 'T1',
          agent_id: 'sub-1',
        },
      ]);
    },
  );

  test('a question without details omits the optional members', async () => {
    const { ask, bodies } = createBridge({
      check: () => ({ behavior: 'ask', decisionReason: { type: 'mode' } }),
    });
    void ask();
    await vi.waitFor(() => expect(bodies()).toHaveLength(1));
    expect(bodies()).toEqual([
      {
        subtype: 'can_use_tool',
        tool_name: 'Bash',
        input: INPUT,
        decision_reason_type: 'mode',
        tool_use_id: 'T1',
      },
    ]);
  });
});

describe('the answer of the host', () => {
  const decided = async (response: unknown) => {
    const applied: unknown[] = [];
    const { ask, answer } = createBridge({ onUpdates: (updates) => applied.push(updates) });
    const decision = ask();
    answer(response);
    return { decision: await decision, applied };
  };

  verifies(
    ['PRM-14', 'PRM-15', 'PRM-24', 'PRM-25'],
    'becomes the decision, with the changed input and rules',
    async () => {
      await expect(decided({ behavior: 'allow' })).resolves.toEqual({
        decision: { ...ALLOWED, decidedBy: 'host' },
        applied: [],
      });
      const rule = { type: 'setMode', mode: 'plan', destination: 'session' };
      const changed = {
        behavior: 'allow',
        updatedInput: { command: 'pwd' },
        updatedPermissions: [rule, { type: '?' }],
      };
      await expect(decided(changed)).resolves.toEqual({
        decision: { ...ALLOWED, decidedBy: 'host', input: { command: 'pwd' }, updatedPermissions: [rule] },
        applied: [[rule]],
      });
      const refused = { behavior: 'deny', message: 'I would rather not', interrupt: true };
      await expect(decided(refused)).resolves.toEqual({
        decision: { ...refused, toolUseID: 'T1', decidedBy: 'host' },
        applied: [],
      });
    },
  );

  test('may omit the message of a denial, as Go hosts do', async () => {
    const { decision } = await decided({ behavior: 'deny' });
    expect(decision).toMatchObject({
      behavior: 'deny',
      message: 'Permission to use Bash was denied.',
      interrupt: false,
    });
  });
});

describe('permission hooks and the host', () => {
  verifies('HOK-22', 'are asked in parallel, the host first', () => {
    const seen: number[] = [];
    const bridge = createBridge({
      askHooks: () => {
        seen.push(bridge.frames.length);
        return new Promise(() => {});
      },
    });
    void bridge.ask();
    // In the same tick: neither a hook nor any other task has finished.
    expect(seen).toEqual([1]);
    expect(bridge.bodies()).toMatchObject([{ subtype: 'can_use_tool' }]);
  });

  verifies('HOK-24', 'when a hook decides first, the question to the host is cancelled', async () => {
    const hook = hookByHand();
    const { ask, last, cancels, answer, pending, listeners } = createBridge({ askHooks: askOwnHooks(hook.run) });
    const decision = ask();
    hook.decide({ behavior: 'allow', updatedInput: { command: 'true' } });
    await expect(decision).resolves.toEqual({ ...ALLOWED, decidedBy: 'hook', input: { command: 'true' } });
    expect(cancels()).toEqual([last()]);
    expect(pending.size).toBe(0);
    expect(listeners()).toBe(0);
    // The answer of the host was already on its way.
    expect(answer({ behavior: 'deny', message: 'no' })).toBe('late');
  });

  verifies('PERMIT-8', 'when a hook makes no decision, the host decides', async () => {
    const hook = hookByHand();
    const { ask, answer, cancels } = createBridge({ askHooks: askOwnHooks(hook.run) });
    const decision = ask();
    hook.decide(undefined);
    expect(await isOpen(decision)).toBe(true);
    answer({ behavior: 'deny', message: 'no' });
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'host', message: 'no' });
    expect(cancels()).toEqual([]);
  });

  verifies('HOK-25', 'when the host answers first, a later decision of the hook has no effect', async () => {
    const hook = hookByHand();
    const { ask, answer, cancels } = createBridge({ askHooks: askOwnHooks(hook.run) });
    const decision = ask();
    answer({ behavior: 'deny', message: 'no' });
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'host' });
    hook.decide({ behavior: 'allow' });
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'host' });
    expect(cancels()).toEqual([]);
  });

  verifies('PERMIT-8', 'when a hook fails or returns an invalid decision, the host decides', async () => {
    for (const fate of ['break', 'nonsense', 'throw'] as const) {
      const hook = hookByHand();
      const broken = () => {
        throw new Error('hook');
      };
      const bridge = createBridge({ askHooks: askOwnHooks(fate === 'throw' ? broken : hook.run) });
      const decision = bridge.ask();
      if (fate === 'break') hook.break(new Error('hook'));
      if (fate === 'nonsense') hook.decide({ behavior: 'maybe' } as never);
      expect(await isOpen(decision)).toBe(true);
      bridge.answer({ behavior: 'allow' });
      await expect(decision).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host' });
    }
  });

  verifies(['INT-11', 'PERMIT-9'], 'an abort of the turn cancels the question and removes the listener', async () => {
    const hook = hookByHand();
    const { ask, answer, cancels, last, controller, listeners } = createBridge({ askHooks: askOwnHooks(hook.run) });
    const answered = ask();
    expect(listeners()).toBe(1);
    answer({ behavior: 'allow' });
    await answered;
    expect(listeners()).toBe(0);
    const decision = ask();
    const reason = new Error('interrupted');
    controller.abort(reason);
    expect(cancels()).toEqual([last()]);
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure', error: reason });
    hook.decide({ behavior: 'allow' });
    await expect(decision).resolves.toMatchObject({ behavior: 'deny' });
    expect(listeners()).toBe(0);
  });

  test('thirty calls of one turn share one listener on its signal', async () => {
    const { canUseTool, signal, listeners, controller } = createBridge();
    const context = (n: number) => ({ toolUseID: `T${n}`, signal });
    const decisions = Array.from({ length: 30 }, (_, n) => canUseTool('Bash', INPUT, context(n)));
    expect(listeners()).toBe(1);
    controller.abort();
    const all: PermissionDecision[] = await Promise.all(decisions);
    expect(new Set(all.map(({ behavior }) => behavior))).toEqual(new Set(['deny']));
    expect(listeners()).toBe(0);
  });
});

describe('a permission question', () => {
  verifies('PERMIT-10', 'is reported with its id before it is sent under that id', async () => {
    const reported: unknown[] = [];
    const bridge = createBridge({
      onPermissionPrompt: (prompt) => reported.push({ ...prompt, written: bridge.frames.length }),
    });
    const decision = bridge.ask();
    expect(reported).toEqual([{ tool: 'Bash', input: INPUT, toolUseID: 'T1', requestId: bridge.last(), written: 0 }]);
    bridge.answer({ behavior: 'allow' });
    await decision;
    expect(reported).toHaveLength(1);
  });

  test('is reported as settled once, before its decision is known', async () => {
    const order: string[] = [];
    const bridge = createBridge({ onPermissionSettled: (requestId) => order.push(requestId) });
    const decision = bridge.ask().then(() => order.push('decided'));
    bridge.answer({ behavior: 'allow' });
    await decision;
    expect(order).toEqual([bridge.last(), 'decided']);
  });
});
