import type { PermissionUpdate, SDKControlPermissionRequest } from '@proto/core/messages';
import { describe, expect, test } from 'vitest';
import { permissionOptions, permissionResult } from './permission-options.ts';

const request = (more: Partial<SDKControlPermissionRequest> = {}): SDKControlPermissionRequest => ({
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  tool_use_id: 't1',
  input: { command: 'ls' },
  ...more,
});
const rule: PermissionUpdate = {
  type: 'addRules',
  behavior: 'allow',
  rules: [{ toolName: 'Bash', ruleContent: 'ls *' }, { toolName: 'Read' }],
  destination: 'session',
};
const mode: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const kinds = (of: SDKControlPermissionRequest) => permissionOptions(of).map(({ kind }) => kind);
const choose = (of: SDKControlPermissionRequest, kind: string) => {
  const optionId = permissionOptions(of).find((option) => option.kind === kind)?.optionId ?? kind;
  return permissionResult(of, { outcome: 'selected', optionId });
};

describe('the options of a permission request', () => {
  test('contain what the agent suggests to allow always, with all that is allowed', () => {
    expect(kinds(request())).toEqual(['allow_once', 'reject_once']);
    const suggested = request({ permission_suggestions: [rule, mode] });
    expect(permissionOptions(suggested)[0]).toEqual({
      kind: 'allow_always',
      name: 'Always allow Bash(ls *), Read, and change to the mode acceptEdits',
      optionId: 'allow_always',
    });
    expect(choose(suggested, 'allow_always')).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      updatedPermissions: [rule, mode],
    });
    expect(choose(suggested, 'allow_once')).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
  });

  test('do not contain it if the agent rules it out, and begin with the rejection if the agent advises against the call', () => {
    const suggested = { permission_suggestions: [rule] };
    expect(kinds(request({ ...suggested, suppress_always_allow_rule: true }))).toEqual(['allow_once', 'reject_once']);
    expect(kinds(request({ ...suggested, default_to_no: true }))).toEqual([
      'reject_once',
      'allow_always',
      'allow_once',
    ]);
  });

  test('of the end of a plan are the next modes', () => {
    const plan = request({ tool_name: 'ExitPlanMode', input: { plan: 'p' } });
    expect(kinds(plan)).toEqual(['allow_always', 'allow_once', 'reject_once']);
    expect(choose(plan, 'allow_always')).toMatchObject({ behavior: 'allow', updatedPermissions: [mode] });
    expect(choose(plan, 'allow_once')).toMatchObject({ updatedPermissions: [{ ...mode, mode: 'default' }] });
    expect(choose(plan, 'reject_once')).toMatchObject({ behavior: 'deny' });
  });
});

test('an option that was not offered allows nothing, and a cancel ends the turn', () => {
  for (const optionId of ['allow_always', 'mode:bypassPermissions', '', 'constructor'])
    expect(permissionResult(request(), { outcome: 'selected', optionId })).toMatchObject({ behavior: 'deny' });
  expect(permissionResult(request(), { outcome: 'cancelled' })).toMatchObject({ behavior: 'deny', interrupt: true });
});
