import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { parseJson, type SessionEvent } from '../session-log.ts';
import { brokenRules, rules } from './index.ts';

// Sessions of the native agent, without the command lines of its processes.
const folder = new URL('../../../../packages/core/testdata/transcripts/', import.meta.url);
// Recordings of scripts in place of the agent, recordings without a stream of messages, shortened recordings, and files of several processes.
const isLeftOut = (name: string) => /^(host-|print-|large-message|stdout-|stdin-closed|session-|.*-resume)/.test(name);
const args = [
  '--include-partial-messages',
  '--session-mirror',
  '--permission-prompt-tool',
  '--replay-user-messages',
  '--allow-dangerously-skip-permissions',
];
const files = readdirSync(folder).filter((name) => !isLeftOut(name));
// In the recording, a list in the answer to `get_context_usage` is shortened to strings.
const isShortened = ({ message }: { readonly message: string }) => message.includes('gridRows');

function eventOf(row: string): SessionEvent {
  const { dir, line } = JSON.parse(row) as { readonly dir: string; readonly line: string };
  if (dir === 'from-host') return { kind: 'sent', t: 0, text: `${line}\n` };
  const bytes = Buffer.byteLength(line);
  return { kind: 'received', t: 0, line: { text: line, bytes, ended: true, isUtf8: true }, value: parseJson(line) };
}

test.each(files)('no rule is broken in %s', (name) => {
  const rows = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
  const log = { args, signalled: true, unread: false, endExpected: true };
  const broken = brokenRules({ ...log, events: rows.map(eventOf) }).filter((failure) => !isShortened(failure));
  expect(broken.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});

test('there are recordings, and rules with requirements', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(rules.length).toBeGreaterThan(25);
});
