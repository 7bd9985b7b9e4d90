import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTokenFinder, keepToken } from './token-file.ts';

test('a token is found in the file, in the given text, and for this machine alone in the file of its server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [tokenFile, serverFile] = [join(folder, 'given'), join(folder, 'server')];
  const [given, own] = [await keepToken(tokenFile), await keepToken(serverFile)];
  const found = (options: Parameters<typeof createTokenFinder>[0], host = '127.0.0.1') =>
    createTokenFinder(options)(host);
  expect(await found({ tokenFile, token: 'a-text-of-a-token', serverFile })).toBe(given);
  expect(await found({ token: 'a-text-of-a-token', serverFile })).toBe('a-text-of-a-token');
  expect(await found({ token: '', serverFile })).toBe(own);
  expect(await found({ serverFile }, 'box.example')).toBeUndefined();
  expect(await found({ serverFile: join(folder, 'none') })).toBeUndefined();
  await expect(found({ tokenFile: join(folder, 'none'), serverFile })).rejects.toThrow('ENOENT');
});
