import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { describe, expect, test } from 'vitest';
import { run, SJP_HOME } from '../run.test-support.ts';
import { hostProjectDirectory } from './host-transcript.ts';
import { entriesIn, prompt, sessionsPeer } from './sessions.test-support.ts';

/** Tests of `--session-mirror`: what a host with its own session store receives, and how it resumes a session. */

type Frame = WireMessage & { readonly filePath: string; readonly entries: readonly WireMessage[] };

const FLAG = '--session-mirror';
const NAME = process.cwd().replace(/[^a-zA-Z0-9]/g, '-');

function framesIn(messages: readonly WireMessage[]): readonly Frame[] {
  return messages.filter((message): message is Frame => message.type === 'transcript_mirror');
}

const entriesOf = (messages: readonly WireMessage[]) => framesIn(messages).flatMap(({ entries }) => entries);

/** Writes a session where the agent looks for it, as a host with its own store does before it resumes the session. */
function handOver(id: string, entries: readonly WireMessage[]) {
  const CLAUDE_CONFIG_DIR = mkdtempSync(join(SJP_HOME, 'resume-'));
  const path = join(CLAUDE_CONFIG_DIR, 'projects', NAME, `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return { CLAUDE_CONFIG_DIR, path };
}

describe('--session-mirror', () => {
  test('sends the lines of the session file under the path that hosts expect', async () => {
    const { agent, files, home } = sessionsPeer();
    const env = { SJP_HOME: home, CLAUDE_CONFIG_DIR: '/config' };
    const { messages, id } = await agent([FLAG], prompt('one') + prompt('two'), { process: { env } });
    const frames = framesIn(messages);
    expect(new Set(frames.map(({ filePath }) => filePath))).toEqual(new Set([`/config/projects/${NAME}/${id}.jsonl`]));
    expect(entriesOf(messages)).toEqual(entriesIn(files()[0] ?? ''));
    // All lines of a turn precede its result.
    expect(messages.at(-1)?.type).toBe('result');
  });

  test('uses the home folder of the user when CLAUDE_CONFIG_DIR is not set', async () => {
    const { agent, home } = sessionsPeer();
    const { messages, id } = await agent([FLAG], prompt('one'), {
      process: { env: { SJP_HOME: home, HOME: '/home/me' } },
    });
    expect(framesIn(messages)[0]?.filePath).toBe(`/home/me/.claude/projects/${NAME}/${id}.jsonl`);
  });

  test('sends the lines also with --no-session-persistence', async () => {
    const { agent, files } = sessionsPeer();
    const { messages } = await agent([FLAG, '--no-session-persistence'], prompt('one'));
    expect(entriesOf(messages).map(({ type }) => type)).toEqual(['user', 'assistant']);
    expect(files()).toEqual([]);
  });

  test('sends nothing without the flag or in json format, and is refused with --sdk-url', async () => {
    const { messages } = await sessionsPeer().agent([], prompt('one'));
    expect(framesIn(messages)).toEqual([]);
    const { stdout } = await run(['-p', 'x', '--output-format=json', '--verbose', FLAG]);
    expect(stdout).not.toContain('transcript_mirror');
    const refused = await run(['-p', 'x', FLAG, '--sdk-url=http://127.0.0.1:1/v1/code/sessions/s']);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: --session-mirror cannot/),
    });
  });

  test('continues the parent chain when a session of this machine is resumed', async () => {
    const { agent } = sessionsPeer();
    const first = await agent([FLAG], prompt('one'));
    const second = await agent([FLAG, `--resume=${first.id}`], prompt('two'));
    expect(second.said).toEqual(['one|one|two']);
    expect(entriesOf(second.messages)).toHaveLength(2);
    expect(entriesOf(second.messages)[0]?.['parentUuid']).toBe(entriesOf(first.messages).at(-1)?.['uuid']);
  });

  test('resumes the file that the host provides rather than the file of this machine', async () => {
    const { agent, home, files } = sessionsPeer();
    const first = await agent([FLAG], prompt('one'));
    const elsewhere = await agent([FLAG, `--resume=${first.id}`], prompt('two'));
    const kept = [...entriesOf(first.messages), ...entriesOf(elsewhere.messages)];
    const { CLAUDE_CONFIG_DIR, path } = handOver(first.id, kept.slice(0, 3));
    const before = readFileSync(files()[0] ?? '', 'utf8');
    const env = { SJP_HOME: home, CLAUDE_CONFIG_DIR };
    const resumed = await agent([FLAG, `--resume=${first.id}`], prompt('three'), { process: { env } });
    expect(resumed).toMatchObject({ id: first.id, said: ['one|one|two|three'] });
    expect(framesIn(resumed.messages)[0]?.filePath).toBe(path);
    expect(entriesOf(resumed.messages)[0]?.['parentUuid']).toBe(kept[2]?.['uuid']);
    expect(readFileSync(files()[0] ?? '', 'utf8')).toBe(before);
    // Without the flag, the host's file is not used.
    expect((await agent([`--resume=${first.id}`], prompt('x'), { process: { env } })).said).toEqual([
      'one|one|two|one|one|two|x',
    ]);
  });

  test('sends all lines of a fork from its beginning', async () => {
    const { agent } = sessionsPeer();
    const first = await agent([FLAG], prompt('one'));
    const fork = await agent([FLAG, `--resume=${first.id}`, '--fork-session'], prompt('two'));
    const entries = entriesOf(fork.messages);
    expect(entries.map(({ sessionId }) => sessionId)).toEqual(Array(4).fill(fork.id));
    expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([null, ...entries.slice(0, 3).map(({ uuid }) => uuid)]);
  });
});

test('the folder name for a long working directory equals the name that published hosts compute', () => {
  const env = { CLAUDE_CONFIG_DIR: '/c' };
  expect(hostProjectDirectory('/work/a é.b', env)).toBe('/c/projects/-work-a---b');
  const long = `/${'x'.repeat(200)}`;
  expect(hostProjectDirectory(long.slice(0, -1), env)).toBe(`/c/projects/-${'x'.repeat(199)}`);
  expect(hostProjectDirectory(long, env)).toBe(`/c/projects/-${'x'.repeat(199)}-d0i18x`);
});
