import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { redirectStdout } from './redirect-stdout.ts';

verifies(['OUTPUT-3', 'FRM-17'], 'console output and writes to stdout go to stderr until stdout is restored', () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const target = new Console({ stdout, stderr: new PassThrough() });
  const holder = { console: target, process: { stdout } };
  const { log } = target;
  const giveBack = redirectStdout(stderr, holder);
  target.log('log');
  target.info('info');
  target.dir({ a: 1 });
  target.table([1]);
  target.error('error');
  holder.process.stdout.write('written\n');
  expect(stdout.read()).toBeNull();
  expect(String(stderr.read())).toMatch(/^log\ninfo\n\{ a: 1 \}\n[^a-z]*index[^]*error\nwritten\n$/);
  giveBack();
  target.log('back');
  expect(target.log).toBe(log);
  expect(holder.process.stdout).toBe(stdout);
  expect(String(stdout.read())).toBe('back\n');
});
