import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, messagesIn, outcomeOf, prompt, readUntil, run, start, STREAM } from './bins.test-support.ts';

const LIMIT = { timeout: 30_000 };
const ID = '01234567-89ab-4def-8123-456789abcdef';

/** A new state directory, and the entries of its session files. */
function stateDirectory() {
  const SJP_HOME = mkdtempSync(join(FOLDER, 'home-'));
  const entries = () =>
    readdirSync(SJP_HOME, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(SJP_HOME, name), 'utf8').trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { variables: { SJP_HOME }, entries };
}

describe.concurrent('a session shared by processes', LIMIT, () => {
  verifies(
    'PROGRAM-4',
    'can be resumed, also when the first process was killed directly after its result',
    async () => {
      const { variables, entries } = stateDirectory();
      const killed = start(AGENT, [...STREAM, `--session-id=${ID}`], variables);
      killed.stdin.write(prompt('/echo one'));
      await readUntil(killed, '"result"');
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      const next = await run(AGENT, [...STREAM, `--resume=${ID}`], prompt('/echo two'), variables);
      expect(next).toMatchObject({ code: 0, stderr: '' });
      expect(messagesIn(next.stdout)[0]).toMatchObject({ session_id: ID });
      expect(entries().map(({ type, sessionId }) => [type, sessionId])).toEqual(
        ['user', 'assistant', 'user', 'assistant'].map((type) => [type, ID]),
      );
    },
  );

  test('contains the messages so far when a process was killed or interrupted during a turn', async () => {
    const { variables, entries } = stateDirectory();
    const flags = [...STREAM, '--include-partial-messages'];
    const killed = start(AGENT, [...flags, `--session-id=${ID}`], variables);
    killed.stdin.write(prompt('/echo one\n/slow 60'));
    await readUntil(killed, '"text":"3 "');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(entries().map(({ type }) => type)).toEqual(['user', 'assistant']);
    const interrupted = start(AGENT, [...flags, '--continue'], variables);
    interrupted.stdin.write(prompt('/slow 60'));
    await readUntil(interrupted, '"text":"3 "');
    interrupted.kill('SIGINT');
    expect(await outcomeOf(interrupted)).toMatchObject({ code: 0 });
    expect(entries().slice(2)).toMatchObject([
      { type: 'user' },
      { type: 'assistant', aborted: true },
      { type: 'user', message: { content: [{ text: '[Request interrupted by user]' }] } },
    ]);
  });

  test('keeps every line whole when several processes write at once', async () => {
    const { variables, entries } = stateDirectory();
    await run(AGENT, [...STREAM, `--session-id=${ID}`], prompt('/echo begin'), variables);
    const prompts = Array.from({ length: 40 }, (_, n) => prompt(`/echo ${n} ${'x'.repeat(20_000)}`)).join('');
    const resume = () => run(AGENT, [...STREAM, `--resume=${ID}`], prompts, variables);
    for (const { code, stderr } of await Promise.all([resume(), resume(), resume()])) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    const uuids = entries().map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(2 + 3 * 40 * 2);
    // The session continues with the branch that was written last.
    expect(await run(AGENT, [...STREAM, '--continue'], prompt('/echo end'), variables)).toMatchObject({ code: 0 });
  });
});

test('an agent whose host was killed finishes its turn, saves it, and exits quietly', async () => {
  const { variables, entries } = stateDirectory();
  const child = start(AGENT, [...STREAM, '--include-partial-messages'], variables);
  child.stdin.write(prompt('/slow 1\n/echo whole'));
  await readUntil(child, '"text":"3 "');
  // When a host dies, both pipes are closed.
  child.stdin.destroy();
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, 'exit');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(entries().at(-1)).toMatchObject({ type: 'assistant', message: { content: [{ text: 'whole' }] } });
}, 15_000);
