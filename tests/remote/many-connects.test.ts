import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';

const PROGRAM = fileURLToPath(new URL('connect-and-leave.mjs', import.meta.url));
const MAX_GROWTH_BYTES = 5_000_000;

verifies(
  'SERVER-5',
  'the heap after ten thousand event streams is not larger than after one thousand',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, '1000', '10000']);
    const [few = 0, many = 0] = JSON.parse(stdout) as number[];
    expect(few).toBeGreaterThan(0);
    expect(many - few).toBeLessThan(MAX_GROWTH_BYTES);
  },
  { timeout: 120_000 },
);
