import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';

const example = fileURLToPath(new URL('../../examples/swap/main.mjs', import.meta.url));

verifies(
  'LINK-14',
  'one host program sees the same messages over a child process, ssh, stdio, a WebSocket, and SSE with POST',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [example]);
    expect(stdout).toContain('what it sees is the same');
  },
);
