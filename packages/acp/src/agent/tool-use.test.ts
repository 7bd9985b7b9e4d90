import { expect, test } from 'vitest';
import { type KnownCall, resultTextOf, toolUseOf } from './tool-use.ts';

const uses: readonly [string, KnownCall, object][] = [
  [
    'a command in parts is quoted as a shell reads it',
    { kind: 'execute', title: 'go', rawInput: { command: ['sh', '-c', "it's"] } },
    { name: 'Bash', input: { description: 'go', command: `sh -c 'it'\\''s'` } },
  ],
  [
    'a command that is only in the title is the title',
    { kind: 'execute', title: 'ls -l' },
    { name: 'Bash', input: { description: 'ls -l', command: 'ls -l' } },
  ],
  [
    'a file that is read is that of the location',
    { kind: 'read', title: 'Read a', locations: [{ path: '/w/a' }] },
    { name: 'Read', input: { file_path: '/w/a' } },
  ],
  [
    'a call that removes files is not a shell command',
    { kind: 'delete', title: 'a' },
    { name: 'Delete', input: { description: 'a' } },
  ],
  [
    'a call of another kind has the name that the agent gives',
    { kind: 'other', name: 'weather', title: 'Ask', rawInput: 'Berlin' },
    { name: 'weather', input: { description: 'Ask', input: 'Berlin' } },
  ],
  ['a call without a name', {}, { name: 'Tool', input: {} }],
];

test.each(uses)('%s', (_what, call, expected) => expect(toolUseOf(call)).toEqual(expected));

const text = (shown: string) => ({ type: 'content', content: { type: 'text', text: shown } }) as const;
const results: readonly [string, KnownCall, string][] = [
  ['texts are joined, without the fence of code', { content: [text('```sh\na\nb\n```'), text('c')] }, 'a\nb\nc'],
  ['code inside a text stays', { content: [text('see\n```\na\n```')] }, 'see\n```\na\n```'],
  ['a diff is named', { content: [{ type: 'diff', path: '/a', newText: '' }] }, 'The file /a has been changed.'],
  ['raw output is used if nothing is shown', { rawOutput: { output: 'x', exit: 0 } }, 'x'],
  ['raw output without a text is JSON', { rawOutput: { exit: 0 } }, '{"exit":0}'],
  ['a call without output', { title: 'ls' }, 'The call gave no output.'],
];

test.each(results)('%s', (_what, call, expected) => expect(resultTextOf(call)).toBe(expected));
