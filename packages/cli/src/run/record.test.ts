import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Recording, parseRecording } from '@proto/recording';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, run, STREAM } from '../bins.test-support.ts';

let files = 0;
const newFile = () => join(FOLDER, `recording-${files++}.jsonl`);

/** Records one run. Returns the output of the run and the recording. */
async function record(prompt: string, flags: readonly string[] = [], agent: readonly string[] = []) {
  const file = newFile();
  const args = ['run', prompt, '--permissions', 'allow', '--record', file, ...flags];
  const end = await run(MAIN, agent.length === 0 ? args : [...args, '--', ...agent], '', {
    DEPLOY_TOKEN: 'correct horse',
  });
  const text = await readFile(file, 'utf8');
  return { file, text, recording: parseRecording(text), ...end };
}

/** The lines of a recording, with the ids of this run replaced by numbers. */
function steady({ entries }: Recording): string[] {
  const lines = entries.map((entry) => ('line' in entry ? `${entry.dir} ${entry.line}` : '')).join('\n');
  const ids = lines.matchAll(/"(?:request_id|session_id|\w*uuid)":"([^"]+)"/g);
  return [...new Set([...ids].map(([, id]) => id as string))]
    .reduce((text, id, index) => text.replaceAll(id, `#${index}`), lines)
    .split('\n');
}

describe.concurrent('sjp run --record', { timeout: 30_000 }, () => {
  verifies('TEST-2', 'writes both directions of the wire to a private file, and reports that', async () => {
    const { file, recording, stderr, code } = await record('/echo 世界');
    const lines = recording.entries.filter((entry) => 'line' in entry);
    expect(code).toBe(0);
    expect(recording.header).toEqual({ recording: 1, side: 'host', redacted: true });
    expect(lines.some(({ dir, line }) => dir === 'from-host' && line.includes('"content":"/echo 世界"'))).toBe(true);
    expect(lines.some(({ dir, line }) => dir === 'from-agent' && line.includes('"result":"世界"'))).toBe(true);
    expect(stderr).toBe(`recording ${file} (${recording.entries.length + 1} lines, redacted)\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  verifies('SAFE-6', 'redacts secrets of texts and of the environment, also in the lines of decisions', async () => {
    const prompt = '/bash echo ghp_abcdefghijklmnopqrstuvwxyz0123456789 correct horse';
    const { text, stderr, stdout } = await record(prompt);
    expect(text + stderr).not.toMatch(/ghp_|correct horse/);
    expect(stderr).toContain('? Bash(echo [redacted] [redacted]) allowed');
    const failed = await run(MAIN, ['run', 'x', '--', 'agent-of-correct horse'], '', { DEPLOY_TOKEN: 'correct horse' });
    expect(failed.stderr).toContain('no agent "agent-of-[redacted]"');
    // stdout shows the agent's result and is not redacted.
    expect(stdout).toContain('ghp_');
    const open = await record(prompt, ['--no-redact']);
    expect(open.text).toContain('ghp_');
    expect(open.stderr).toContain('including secrets');
  });

  verifies('TEST-3', 'of a replay produces the same recording', async () => {
    const first = await record('/think about it\n/echo done');
    const again = await record('/think about it\n/echo done', [], [MAIN, 'replay', first.file]);
    expect({ code: again.code, stdout: again.stdout.replace(/done in .*/, '') }).toEqual({
      code: 0,
      stdout: first.stdout.replace(/done in .*/, ''),
    });
    // The run ends at the result. Whether messages after the result are still recorded depends on how they arrive.
    const upToResult = (lines: readonly string[]) =>
      lines.slice(0, 1 + lines.findIndex((line) => line.includes('"type":"result"')));
    const lines = upToResult(steady(first.recording));
    expect(lines.length).toBeGreaterThan(20);
    expect(upToResult(steady(again.recording))).toEqual(lines);
  });

  verifies('TEST-2', 'writes a file that can be replayed to an agent, and differences are reported', async () => {
    const { file } = await record('/echo one');
    const play = (...flags: string[]) =>
      run(MAIN, ['replay', file, '--as', 'host', ...flags, '--', AGENT, ...STREAM, '--include-partial-messages']);
    expect(await play('--match', 'shape')).toMatchObject({ code: 0, stderr: '' });
    const exact = await play('--match', 'strict');
    expect(exact.code).toBe(6);
    expect(exact.stderr).toMatch(
      /^sjp replay: the replay diverges at line \d+ of the recording, from-agent:\n {2}recorded/,
    );
    const other = await run(MAIN, ['run', '/echo two', '--', MAIN, 'replay', file]);
    expect(other.stderr).toContain('message.content: recorded "/echo one", now "/echo two"');
    expect(other.code).not.toBe(0);
  });

  test('is replayed to the program at standard input; without one, the error names the commands that read a recording', async () => {
    const { file } = await record('/echo one');
    const alone = await run(MAIN, ['replay', file]);
    expect(alone.code).toBe(6);
    expect(alone.stderr).toContain('standard input was empty. To read the recording, use sjp explain or sjp inspect.');
    const wrong = await run(MAIN, ['replay', file], '{"type":"keep_alive"}\n');
    expect(wrong.code).toBe(6);
    expect(wrong.stderr).not.toContain('sjp explain');
  });
});

test.each<[string, string[], number, string]>([
  ['a missing file', ['replay', '/no/such'], 2, 'cannot open /no/such: no such file'],
  ['a file that is not a recording', ['replay', '/dev/null'], 2, 'no recording header'],
  ['an invalid speed', ['replay', 'x', '--speed', 'fast'], 2, 'must be "max" or a number'],
  ['no agent', ['replay', 'RECORDING', '--as', 'host', '--', 'no-such-agent'], 4, 'no agent'],
  ['a missing folder', ['run', 'x', '--record', '/no/such/file'], 2, 'cannot open /no/such/file: no such file'],
  ['an agent with another output format', ['run', 'x', '--adapter', 'codex', '--record', '/tmp/x'], 2, '--adapter'],
])('%s is reported by the exit code', async (_, args, code, stderr) => {
  const file = args.includes('RECORDING') ? (await record('x')).file : '';
  const end = await run(
    MAIN,
    args.map((arg) => (arg === 'RECORDING' ? file : arg)),
  );
  expect(end).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
});
