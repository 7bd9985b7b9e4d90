import { expect, test } from 'vitest';
import { flattenIssues } from '../../drift/zod-issues.ts';
import { hookJSONOutput } from './hook-output.ts';

const pathsOf = (value: unknown) => flattenIssues(hookJSONOutput.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

test.each([
  ['no opinion', {}],
  ['a block', { decision: 'block', reason: 'not today' }],
  ['a stop', { continue: false, stopReason: 'enough' }],
  ['a decision about a call', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }],
  ['a permission', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }],
  ['a worktree', { hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/workspace/w' } }],
  ['an event not known yet', { hookSpecificOutput: { hookEventName: 'MoonRise', howl: 3 } }],
  ['a hook that goes on by itself', { async: true, asyncTimeout: 5000 }],
  ['members not known', { mood: 'fine' }],
])('a hook may answer with %s', (_, output) => {
  expect(pathsOf(output)).toEqual([]);
});

test.each([
  ['text', 'block', ''],
  ['a text for a flag', { continue: 'no' }, 'continue'],
  ['a wrong time', { async: true, asyncTimeout: 'soon' }, 'asyncTimeout'],
  ['no event', { hookSpecificOutput: { permissionDecision: 'allow' } }, 'hookSpecificOutput.hookEventName'],
  ['a permission that is none', permission({ behavior: 'maybe' }), 'hookSpecificOutput.decision.behavior'],
  ['a permission for no input', permission({ behavior: 'allow', updatedInput: [] }), 'hookSpecificOutput.decision.updatedInput'],
  ['no worktree', { hookSpecificOutput: { hookEventName: 'WorktreeCreate' } }, 'hookSpecificOutput.worktreePath'],
])('a hook may not answer with %s', (_, output, path) => {
  expect(pathsOf(output)).toEqual([path]);
});

function permission(decision: object): object {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
