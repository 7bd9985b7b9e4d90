/** The agent in Python takes the flags that hosts pass: those of the table of the specification. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentCommandLine } from '@proto/host';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const agent = join(ROOT, 'examples/agent-in-python/agent.py');
const spec = readFileSync(join(ROOT, 'spec/09-command-line.md'), 'utf8');

// The agent does not store sessions, and does not support structured output.
const REFUSED = /^(?:-c|-r|--(?:resume|continue|fork-session|session-mirror|json-schema|managed-settings).*)$/;
const VALUES: Readonly<Record<string, string>> = {
  '--output-format': 'stream-json',
  '--input-format': 'stream-json',
  '--session-id': '3f2b8c1e-5d4a-4f6b-9c7d-1a2b3c4d5e6f',
  '--permission-mode': 'plan',
};

/** The rows of the table: the flags, and whether they have a value. */
const rows = Array.from(spec.matchAll(/^\| (`-[^|]*) \| ([^|]*)\|[^|]*\|[^|]*\|$/gm), ([, flags = '', value = '']) => ({
  flags: Array.from(flags.matchAll(/`(-[\w-]+)`/g), ([, flag = '']) => flag),
  hasValue: value.trim() !== '',
}));
// These flags share a row that does not name their values.
const WITH_VALUE = /^--(?:thinking.*|max-thinking-tokens|effort|task-budget|betas|debug-file)$/;
const accepted = rows.flatMap(({ flags, hasValue }) =>
  flags
    .filter((flag) => !REFUSED.test(flag))
    .map((flag) => (hasValue || WITH_VALUE.test(flag) ? [flag, VALUES[flag] ?? '1'] : [flag])),
);

/** Sends a prompt to the agent. */
function ask(args: readonly string[], input: string) {
  const { status, stdout, stderr } = spawnSync('python3', [agent, ...args], { input, encoding: 'utf8' });
  const types = stdout.split('\n').map((line) => /^\{"type": "(\w+)"/.exec(line)?.[1]);
  return { status, types, stderr };
}

const { args } = agentCommandLine();
const initialize = '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n';
const prompt = '{"type":"user","message":{"role":"user","content":"hello"}}\n';

test('the flags of the table are found', () => {
  expect(accepted.length).toBeGreaterThan(40);
});

test.each(accepted)(
  '%s %s',
  (...words) => {
    expect(ask([...args, ...words], initialize + prompt)).toMatchObject({ status: 0, stderr: '' });
  },
  30_000,
);

test('a prompt as an argument, a list of tools and a value after an equals sign', () => {
  const types = ['system', 'stream_event', 'stream_event', 'stream_event', 'assistant'];
  const command = agentCommandLine({ prompt: '-hello', settingSources: [], includePartialMessages: true });
  const outcome = ask(['--allowedTools', 'Read', 'Bash', '--debug', ...command.args], '');
  expect(outcome).toMatchObject({ status: 0, stderr: '', types: expect.arrayContaining(types) });
});

test.each(['--resume', '--json-schema', '--no-such-flag'])('%s is refused', (flag) => {
  expect(ask([...args, flag, '{}'], prompt)).toMatchObject({ status: 1, types: [undefined] });
});
