import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMemoryPair, encodeBatch } from '@proto/core/transport';
import { expect, onTestFinished, test } from 'vitest';
import { ask, startApi, user } from '../cassettes/api.test-support.ts';
import { useCassette } from './index.ts';

test('a cassette is in the folder of its test', async () => {
  const name = `tapes/${crypto.randomUUID()}.jsonl`;
  onTestFinished(() => rmSync(new URL('tapes', import.meta.url), { recursive: true, force: true }));
  const api = await startApi(['Hello.']);
  const session: Parameters<typeof useCassette<string>>[1] = async ({ env, wire }) => {
    const host = wire(createMemoryPair().host);
    await host.send(encodeBatch({ type: 'user' }));
    return (await ask(env['ANTHROPIC_BASE_URL'], [user('Hi')])).text;
  };
  const received = await useCassette(name, session, { mode: 'record', upstream: api.url });
  expect(received).toContain('Hello.');
  expect(existsSync(fileURLToPath(new URL(name, import.meta.url)))).toBe(true);
  await api.close();
  expect(await useCassette(name, session)).toBe(received);
});
