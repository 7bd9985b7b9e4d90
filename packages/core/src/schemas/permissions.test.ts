import type * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { flattenIssues } from '../drift/zod-issues.ts';
import { permissionResult, permissionUpdate } from './permissions.ts';

const rules = { rules: [{ toolName: 'Bash', ruleContent: 'npm test' }], behavior: 'allow', destination: 'session' };
const pathsOf = (schema: z.ZodMiniType, value: unknown) => flattenIssues(schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('an answer to a permission request', () => {
  test.each([
    ['an allow without input', { behavior: 'allow' }],
    ['an allow with another input', { behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 't' }],
    ['an allow with rules', { behavior: 'allow', updatedPermissions: [{ type: 'addRules', ...rules }] }],
    ['a deny', { behavior: 'deny', message: 'no', interrupt: true }],
    ['a deny without message, as some hosts send it', { behavior: 'deny' }],
    ['unknown members', { behavior: 'deny', message: 'no', mood: 'bad' }],
  ])('may be %s', (_, result) => {
    expect(permissionResult.safeParse(result)).toEqual({ success: true, data: result });
  });

  test.each([
    ['an unknown behavior', { behavior: 'ask' }, 'behavior'],
    ['an empty object', {}, 'behavior'],
    ['a boolean', true, ''],
    ['an allow with a text as its input', { behavior: 'allow', updatedInput: 'ls' }, 'updatedInput'],
    ['a deny with a wrong message', { behavior: 'deny', message: 5 }, 'message'],
    ['an allow with a rule without tool', allowing({ ...rules, type: 'addRules', rules: [{}] }), 'updatedPermissions.0.rules.0.toolName'],
  ])('is refused: %s', (_, result, path) => {
    expect(pathsOf(permissionResult, result)).toEqual([path]);
  });
});

describe('a permission update', () => {
  test.each([
    { type: 'addRules', ...rules },
    { type: 'replaceRules', ...rules },
    { type: 'removeRules', ...rules, rules: [{ toolName: 'Bash', ruleContent: null }] },
    { type: 'setMode', mode: 'plan', destination: 'session' },
    { type: 'addDirectories', directories: ['/workspace/lib'], destination: 'localSettings' },
    { type: 'removeDirectories', directories: [], destination: 'cliArg' },
    { type: 'addMoonlight', phase: 'full' },
  ])('passes: $type', (update) => {
    expect(permissionUpdate.safeParse(update)).toEqual({ success: true, data: update });
  });

  test.each([
    [{ type: 'addRules' }, ['rules', 'behavior', 'destination']],
    [{ type: 'setMode', mode: 1, destination: 'session' }, ['mode']],
    [{ type: 'addDirectories', directories: 'x', destination: 'session' }, ['directories']],
    [{ type: 4 }, ['type']],
  ])('fails at the wrong members: %j', (update, paths) => {
    expect(pathsOf(permissionUpdate, update)).toEqual(paths);
  });
});

function allowing(update: object): object {
  return { behavior: 'allow', updatedPermissions: [update] };
}
