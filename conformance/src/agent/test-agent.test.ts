import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseRecording } from '@proto/recording';
import { describe, expect, test } from 'vitest';

import { compileCases } from '../cases/compile-cases.ts';
import { loadSuite } from '../cases/suite.ts';
import { checkAgent } from '../command/check-sides.ts';
import { createReport, exitCodeOf } from '../results/report.ts';
import type { CaseResult } from '../results/result.ts';
import { ProgramNotStarted } from '../run/test-options.ts';
import { testAgent } from './test-agent.ts';
import { FIXTURE, fixtureAfter, fixtureAtChunk, script, testWith, wrongIn } from './agents.test-support.ts';

const SOME = ['agent/turns', 'agent/control/each-request-once', 'agent/end-of-input', 'agent/framing/blank-lines'];
const good = fileURLToPath(FIXTURE);
const exitCode = (results: readonly CaseResult[]) =>
  exitCodeOf(createReport({ program: 'agent', side: 'agent', ms: 1, results }, []), false);

describe('an agent that keeps the specification', () => {
  test('passes, and each case leaves a recording', async () => {
    const traceFolder = await mkdtemp(join(tmpdir(), 'sjp-traces-'));
    const results = await testWith(good, ['agent/turns/one-result', 'agent/resume/same-session'], { traceFolder });
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(exitCode(results)).toBe(0);
    expect(readdirSync(traceFolder)).toEqual([
      'agent-resume-same-session-2.jsonl',
      'agent-resume-same-session.jsonl',
      'agent-turns-one-result.jsonl',
    ]);
    const { entries } = parseRecording(readFileSync(results[0]?.trace ?? '', 'utf8'));
    expect(entries.at(-1)).toMatchObject({ closed: 'peer', status: 0 });
  });

  test('is recognized by what it prints for -v, and an unknown agent gets the prompts for models', async () => {
    const cases = ['agent/turns/next-prompt-after-a-failed-model-call'];
    const named = await testWith(good, cases);
    expect(named.map(({ verdict }) => verdict)).toEqual(['passed']);
    const asModel = await testWith(good, cases, { prompts: 'model' });
    expect(asModel).toMatchObject([{ verdict: 'not-declared', reason: 'The prompt map has no entry "fail-api".' }]);
  });

  test('a request that it does not serve is not declared', async () => {
    const refuses = fixtureAtChunk('mcp_status', `chunk = Buffer.from(String(chunk).replace('mcp_status', 'none'));`);
    const [result] = await testWith(refuses, ['agent/control/mcp-status']);
    expect(result).toMatchObject({ verdict: 'not-declared', reason: 'The agent does not support mcp_status.' });
  });
});

describe('a prompt without its effect', () => {
  const CASE = 'agent/permissions/waits-for-the-answer';

  test('is not declared, and the reason names the prompt', async () => {
    const prompts = join(await mkdtemp(join(tmpdir(), 'sjp-prompts-')), 'prompts.json');
    writeFileSync(prompts, JSON.stringify({ text: 'text', tool: 'text', 'tool-file': 'notes.txt' }));
    expect(await testWith(good, [CASE], { prompts, timeoutScale: 0.2 })).toMatchObject([
      {
        verdict: 'not-declared',
        reason:
          'The prompt "tool" did not make the agent call a tool. If the agent can do this, give a prompt map with --prompts.',
      },
    ]);
  });

  test('is a failure if the agent has the feature outside the case', async () => {
    const silent = fixtureAfter(`if (process.argv.includes('--permission-prompt-tool')) {
      const write = process.stdout.write;
      process.stdout.write = function (text, ...rest) {
        return /can_use_tool|tool_use|tool_result/.test(String(text)) ? true : write.call(this, text, ...rest);
      };
    }`);
    const [result] = await testWith(silent, [CASE], { prompts: 'fixture', timeoutScale: 0.2 });
    expect(result?.verdict).toBe('failed');
  });

  test('is not declared for hooks and servers if the agent is unknown', async () => {
    const unknown = fixtureAfter(`
      if (process.argv.includes('-v')) { console.log('1.0.0'); process.exit(0); }
      const push = process.stdin.push;
      process.stdin.push = function (chunk) {
        return push.call(this, chunk && Buffer.from(String(chunk).replace(/"(hooks|sdkMcpServers)":/g, '"none":')));
      };`);
    const cases = ['agent/hooks/called-for-each-call', 'agent/mcp/handshake'];
    const reasons = (await testWith(unknown, cases, { timeoutScale: 0.2 })).map(({ reason }) => reason);
    expect(reasons).toEqual([
      expect.stringContaining('The prompt "hook" did not make the agent call a hook.'),
      expect.stringContaining('The prompt "mcp-tool" did not make the agent send a message to an MCP server'),
    ]);
    const declared = await testWith(unknown, cases, { prompts: 'fixture', timeoutScale: 0.2 });
    expect(declared.map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
  });
});

describe('a slow agent', () => {
  test('gets longer time limits, unless the user has chosen them', { timeout: 30_000 }, async () => {
    const marker = join(await mkdtemp(join(tmpdir(), 'sjp-slow-')), 'started');
    const slow = fixtureAfter(`
      import { existsSync, writeFileSync } from 'node:fs';
      if (process.argv.includes('--verbose') && !existsSync(${JSON.stringify(marker)})) {
        writeFileSync(${JSON.stringify(marker)}, '');
        await new Promise((go) => setTimeout(go, 5100));
      }`);
    const scales: number[] = [];
    const onSlow = (timeoutScale: number) => void scales.push(timeoutScale);
    const results = await testWith(slow, ['agent/turns/one-result'], { onSlow });
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed']);
    expect(scales).toEqual([3]);
    await testWith(slow, ['agent/turns/one-result'], { onSlow });
    expect(scales).toEqual([3]);
  });
});

describe('generated sessions', () => {
  const faulty = (name: string) => ({
    command: good,
    args: [],
    env: { ...process.env, SJP_FIXTURE_FAULT: name },
  });

  test('find a fault, and leave the shortest session that shows it as a file of cases', {
    timeout: 120_000,
  }, async () => {
    const traceFolder = await mkdtemp(join(tmpdir(), 'sjp-random-'));
    const agent = faulty('lifecycle/no-completed');
    const results = await testAgent({ agent, cases: [], random: { count: 3, seed: 2 }, traceFolder });
    const found = results.find(({ shrunk }) => shrunk !== undefined);
    expect(found).toMatchObject({ id: expect.stringMatching(/^agent\/random\/seed-2-session-\d$/), verdict: 'failed' });
    const text = readFileSync(found?.shrunk ?? '', 'utf8');
    expect(text).toMatch(/^# TRN-27: .*\n- id: agent\/random\//);
    const { cases, problems } = compileCases([{ side: 'agent', text }], loadSuite().requirements);
    expect(problems).toEqual([]);
    // One prompt is enough.
    expect(JSON.stringify(cases[0]?.steps).match(/"type":"user"/g)).toHaveLength(1);
    const [again] = await testAgent({ agent, cases });
    expect(again).toMatchObject({ verdict: 'failed', failures: [{ spec: 'TRN-27' }] });
    const [fixed] = await testAgent({ agent: { command: good, args: [] }, cases });
    expect(fixed).toMatchObject({ verdict: 'passed' });
  });
});

describe('an agent that cannot be tested', () => {
  const io = () => {
    const written: string[] = [];
    const stream = { write: (text: string) => void written.push(text) };
    return { io: { stdout: stream, stderr: stream }, written };
  };

  test('a program that does not exist gives one error, and exit code 4', async () => {
    await expect(testWith('/no/such/agent', SOME)).rejects.toThrow(ProgramNotStarted);
    const { io: streams, written } = io();
    expect(await checkAgent({ command: ['/no/such/agent'] }, streams)).toBe(4);
    expect(written.join('')).toBe('sjp conformance: /no/such/agent cannot be started: the program was not found.\n');
  });

  test('a program that ends at once gives its last words, and exit code 4', async () => {
    const { io: streams, written } = io();
    const command = script(`console.error('no key'); process.exit(3);`);
    expect(await checkAgent({ command: [command], timeoutScale: 0.1 }, streams)).toBe(4);
    expect(written.join('')).toMatch(/exited with code 3 before it answered\. .* It wrote:\nno key/);
  });

  test('a program that refuses the arguments of hosts after it has read its input gives exit code 4', async () => {
    const { io: streams, written } = io();
    const command = script(`
      if (!process.argv.includes('--verbose')) process.exit(0);
      process.stdin.resume();
      await new Promise((go) => process.stdin.once('data', go).once('end', go));
      console.log('usage: agent\\n\\nUnknown argument: verbose');
      process.exit(1);`);
    expect(await checkAgent({ command: [command], timeoutScale: 0.1 }, streams)).toBe(4);
    expect(written.join('')).toMatch(
      /Hosts add the arguments --output-format .*\nusage: agent\n\nUnknown argument: verbose/,
    );
  });

  test('an unknown prompt map is an error of usage', async () => {
    const { io: streams, written } = io();
    expect(await checkAgent({ command: [good], prompts: '/no/such/map.json' }, streams)).toBe(2);
    expect(written.join('')).toContain('The prompt map "/no/such/map.json" cannot be read');
  });
});

describe('an agent that misbehaves never passes', () => {
  test.each([
    [
      'reads nothing and never exits',
      `setInterval(() => {}, 1e6); if (process.argv.length > 0) await new Promise(() => {});`,
    ],
    ['reads and says nothing', `process.stdin.resume(); setInterval(() => {}, 1e6); await new Promise(() => {});`],
    ['writes without an end', `for (;;) await new Promise((go) => process.stdout.write('x'.repeat(65536), go));`],
  ])('%s', { timeout: 60_000 }, async (_title, code) => {
    const results = await testWith(script(code), SOME, { timeoutScale: 0.05, prompts: 'fixture' });
    expect(results.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
    expect(exitCode(results)).toBe(6);
  });

  const kill = `process.kill(process.pid, 'SIGKILL');`;
  test.each([
    ['writes to its output', fixtureAfter(`console.log('loading');`), 'framing/only-the-protocol'],
    ['ends at a prompt', fixtureAtChunk('"type":"user"', 'process.exit(0);'), 'process/stays'],
    ['dies of a signal', fixtureAtChunk('"type":"user"', kill), 'process/stays'],
    ['dies at the first message', fixtureAtChunk('initialize', kill), 'CTL-3'],
    [
      'stays after the end of its input',
      fixtureAfter(`setInterval(() => {}, 1e6); process.exit = () => {};`),
      'process/exits',
    ],
  ])('%s', { timeout: 60_000 }, async (_title, command, expected) => {
    const results = await testWith(command, ['agent/turns/smallest-prompt', 'agent/turns/one-result'], {
      timeoutScale: 0.2,
    });
    expect(wrongIn(results)).toContain(expected);
    expect(exitCode(results)).toBe(6);
  });

  test('a process that outlives the agent with its output does not hold up the suite', async () => {
    const leaves = fixtureAfter(`
      import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }).unref();`);
    const started = performance.now();
    await testWith(leaves, ['agent/end-of-input/after-initialize']);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
