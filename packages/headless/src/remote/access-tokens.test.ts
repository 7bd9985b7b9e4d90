import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { createAccessTokens } from './access-tokens.ts';

test('the token comes from its environment variable, with the worker epoch if that is set', async () => {
  const env = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'token-1', CLAUDE_CODE_WORKER_EPOCH: '7' };
  expect(await createAccessTokens(env).current()).toEqual({ token: 'token-1', epoch: 7 });
  expect(await createAccessTokens({ CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'token-1' }).current()).toEqual({
    token: 'token-1',
  });
  expect(await createAccessTokens({}).current()).toBeUndefined();
  const odd = createAccessTokens({ ...env, CLAUDE_CODE_WORKER_EPOCH: 'seven' });
  await expect(odd.current()).rejects.toThrow('CLAUDE_CODE_WORKER_EPOCH must be a whole number');
});

verifies(
  'LINK-10',
  'the token file is read again for each attempt, and a token from the parent replaces it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
    const file = join(folder, 'token');
    try {
      writeFileSync(file, 'from the file\n');
      const env = { CLAUDE_SESSION_INGRESS_TOKEN_FILE: file, CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'old' };
      const tokens = createAccessTokens(env);
      expect(await tokens.current()).toEqual({ token: 'from the file' });
      writeFileSync(file, 'rotated');
      expect(await tokens.current()).toEqual({ token: 'rotated' });
      tokens.refresh({ CLAUDE_CODE_WORKER_EPOCH: '3' });
      expect(await tokens.current()).toEqual({ token: 'rotated', epoch: 3 });
      tokens.refresh({ CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'handed in' });
      expect(await tokens.current()).toEqual({ token: 'handed in', epoch: 3 });
      expect(env.CLAUDE_CODE_SESSION_ACCESS_TOKEN).toBe('old');
      expect(process.env).not.toHaveProperty('CLAUDE_CODE_WORKER_EPOCH');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
