import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPair, encodeBatch } from '@proto/core/transport';
import { parseRecording, type RecordingEntry } from '@proto/recording';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, startApi, user } from './api.test-support.ts';
import { CassetteError } from './cassette-error.ts';
import { withCassette } from './with-cassette.ts';

describe('withCassette', () => {
  async function fileName(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'cassette-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return join(folder, 'tape.jsonl');
  }

  /** A session over an in-memory wire, in which the agent sends one request to the API. */
  const session =
    (prompt: string) =>
    async ({ env, wire, mode }: Parameters<Parameters<typeof withCassette>[1]>[0]) => {
      const pair = createMemoryPair();
      const host = wire(pair.host);
      await host.send(encodeBatch({ type: 'user', message: { role: 'user', content: prompt } }));
      const { text } = await ask(String(env['ANTHROPIC_BASE_URL']), [user(prompt)]);
      await host.close();
      return { mode, text };
    };

  test('records both seams once, and plays them afterwards', async () => {
    const file = await fileName();
    const api = await startApi(['Hello.']);
    const options = { upstream: api.url, mode: 'record' } as const;
    const recorded = await withCassette(file, session('Hi'), options);
    await api.close();
    const { header, entries } = parseRecording(await readFile(file, 'utf8'));
    expect(header).toEqual({ cassette: 1, recording: 1, side: 'host', redacted: true });
    const parts = (entry: RecordingEntry) => ('line' in entry ? entry.dir : 'part' in entry ? entry.part : 'other');
    expect(new Set(entries.map(parts))).toEqual(new Set(['from-host', 'request', 'answer', 'event', 'end', 'other']));
    for (let run = 0; run < 3; run++) {
      expect(await withCassette(file, session('Hi'))).toEqual({ ...recorded, mode: 'play' });
    }
  });

  test('fails where the agent asks for something else, and where CI has no tape', async () => {
    const file = await fileName();
    const api = await startApi(['Hello.']);
    await withCassette(file, session('Hi'), { upstream: api.url, mode: 'record' });
    await api.close();
    await expect(withCassette(file, session('Ho'))).rejects.toMatchObject({ code: 'unknown-request' });
    // The test's error contains this reason.
    const failing: typeof session = (prompt) => async (cassette) => {
      await session(prompt)(cassette);
      throw new Error('expected Hello.');
    };
    await expect(withCassette(file, failing('Ho'))).rejects.toMatchObject({
      code: 'unknown-request',
      cause: { message: 'expected Hello.' },
    });
    await expect(withCassette(file, failing('Hi'))).rejects.toThrow('expected Hello.');
    const before = process.env['CI'];
    process.env['CI'] = '1';
    try {
      await expect(withCassette(`${file}.gone`, session('Hi'))).rejects.toThrow(CassetteError);
    } finally {
      if (before === undefined) delete process.env['CI'];
      else process.env['CI'] = before;
    }
  });

  test('writes no file for a test that fails', async () => {
    const file = await fileName();
    await expect(withCassette(file, () => Promise.reject(new Error('no')), { mode: 'record' })).rejects.toThrow('no');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
