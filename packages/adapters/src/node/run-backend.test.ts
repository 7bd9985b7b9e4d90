import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BackendDeclaration, defineBackend } from '../backends/backend.ts';
import { buildInvocation } from '../backends/build-invocation.ts';
import { codex } from '../backends/codex.ts';
import type { AgentEvent } from '../events/agent-event.ts';
import { factsOf, run, sampleNamed } from '../samples.test-support.ts';
import { runBackend, spawnBackend } from './spawn-backend.ts';

/** A backend that runs a JavaScript program. */
const script = (code: string, more: Partial<BackendDeclaration> = {}) =>
  defineBackend({ name: 'script', command: process.execPath, args: () => ['-e', code], ...more });

const ECHO = `process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write(text));`;

test('runBackend passes the prompt on stdin, and yields the output as it is printed', async () => {
  const prompt = 'hello\n\n日本 — twice\n';
  const said: string[] = [];
  const result = await runBackend(script(ECHO), { prompt }, { onText: (text) => said.push(text) });
  expect(said.join('')).toBe(prompt);
  expect(result).toMatchObject({ ok: true, reason: 'success', exitCode: 0, signal: null, text: prompt });
});

verifies('ADAPT-11', 'a program yields the same events as a file with its output', async () => {
  const { name, bytes } = sampleNamed('codex-basic.jsonl');
  const file = fileURLToPath(new URL(`../../testdata/${name}`, import.meta.url));
  const invocation = { ...buildInvocation(codex, { prompt: '' }), command: '/bin/cat', args: [file] };
  const events: AgentEvent[] = [];
  for await (const event of spawnBackend(codex, { prompt: '' }, { invocation })) events.push(event);
  const read = await run(codex, [bytes]);
  const last = events.at(-1);
  if (last?.type !== 'complete') throw new Error('the last event is not complete');
  expect(factsOf({ events, malformed: [], result: last.result })).toEqual(factsOf(read));
  // The same program, declared as a text backend.
  const asText = defineBackend({ name: 'text', command: 'cat', args: () => [] });
  expect((await runBackend(asText, { prompt: '' }, {}, { invocation })).text).toBe(new TextDecoder().decode(bytes));
});

describe('the result of a run', () => {
  test('has the exit code and the stderr tail', async () => {
    const code = `process.stderr.write('not signed in\\n'); process.exitCode = 7;`;
    const stderr: string[] = [];
    const result = await runBackend(script(code), { prompt: 'x' }, {}, { onStderr: (text) => stderr.push(text) });
    expect(result).toMatchObject({ ok: false, reason: 'error', exitCode: 7, error: 'not signed in' });
    expect(stderr.join('')).toBe('not signed in\n');
  });

  test('has the signal', async () => {
    const result = await runBackend(script(`process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`), {
      prompt: '',
    });
    expect(result).toMatchObject({ ok: false, reason: 'aborted', signal: 'SIGTERM', exitCode: null });
  });

  test('comes after an abort, with the last output of the program', async () => {
    const abort = new AbortController();
    const code = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); console.log('hi'); setInterval(() => {}, 1000);`;
    const said: string[] = [];
    const onText = (text: string) => {
      said.push(text);
      abort.abort();
    };
    const result = await runBackend(script(code), { prompt: '' }, { onText }, { signal: abort.signal });
    expect(said.join('')).toBe('hi\nbye\n');
    expect(result).toMatchObject({ ok: false, reason: 'aborted', exitCode: 0 });
  });

  test('comes after SIGKILL when the program ignores SIGTERM', async () => {
    const abort = new AbortController();
    const code = `process.on('SIGTERM', () => {}); console.log('hi'); setInterval(() => {}, 1000);`;
    const onText = () => abort.abort();
    const limits = { signal: abort.signal, closeGraceMs: 10, killGraceMs: 10 };
    const result = await runBackend(script(code), { prompt: '' }, { onText }, limits);
    expect(result).toMatchObject({ reason: 'aborted', signal: 'SIGKILL' });
  });

  test('is not needed: a reader that stops early terminates the program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'run-backend-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'left');
    const code = `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(file)}, 'yes'); process.exit(); });
      console.log('hi'); setInterval(() => {}, 1000);`;
    for await (const event of spawnBackend(script(code), { prompt: '' })) if (event.type === 'text') break;
    expect(await readFile(file, 'utf8')).toBe('yes');
  });
});

describe('the program', () => {
  test('gets its variables in addition to the given environment, and the working directory', async () => {
    const backend = script(`console.log(process.env.MINE, process.env.OURS, process.cwd())`, { env: { MINE: '1' } });
    const { text } = await runBackend(backend, { prompt: '', cwd: '/' }, {}, { env: { ...process.env, OURS: '2' } });
    expect(text).toBe('1 2 /\n');
  });

  test('gets the end of its input also without a prompt on stdin', async () => {
    const backend = script(`process.stdin.resume().on('end', () => console.log('ended'))`, {
      promptMode: { kind: 'none' },
    });
    expect(await runBackend(backend, { prompt: 'unused' })).toMatchObject({ ok: true, text: 'ended\n' });
  });

  test('may ignore its prompt', async () => {
    const result = await runBackend(script(`process.stdin.destroy(); console.log('hi')`), {
      prompt: 'x'.repeat(1_000_000),
    });
    expect(result).toMatchObject({ ok: true, text: 'hi\n' });
  });

  test('must exist', async () => {
    const missing = defineBackend({ name: 'x', command: 'no-such-agent-anywhere', args: () => [] });
    await expect(runBackend(missing, { prompt: '' })).rejects.toMatchObject({ code: 'agent-not-found' });
  });

  test('is not started after an abort', async () => {
    const reason = new Error('changed my mind');
    const run = runBackend(script(ECHO), { prompt: '' }, {}, { signal: AbortSignal.abort(reason) });
    await expect(run).rejects.toBe(reason);
  });
});

test('bad lines are reported to onMalformed', async () => {
  const reasons: string[] = [];
  const backend = script(`console.log('not JSON'); console.log('{"type":"turn.completed"}')`, {
    outputFormat: 'codex-jsonl',
    createParser: (options) => codex.createParser(options),
  });
  const onMalformed = ({ reason }: { reason: string }) => reasons.push(reason);
  expect(await runBackend(backend, { prompt: '' }, {}, { onMalformed })).toMatchObject({ ok: true });
  expect(reasons).toEqual(['not-json']);
});
