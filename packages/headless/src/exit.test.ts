import { verifies } from '@proto/requirements';
import { expect, expectTypeOf } from 'vitest';
import { cliError, cliOk } from './exit.ts';

/** What an exit helper did, with the process stubbed. */
function stub() {
  const done: unknown[] = [];
  const stream = (name: string) => ({ write: (text: string) => done.push([name, text]) > 0 });
  const exit = (code: number) => void done.push(code);
  return { done, options: { stdout: stream('stdout'), stderr: stream('stderr'), exit } };
}

verifies('S2-65', 'cliError writes its message on stderr, leaves with 1, and comes back only from a stub', () => {
  const { done, options } = stub();
  const caller = () => cliError('no such file', options);
  expect(caller()).toBeUndefined();
  cliErrorWithout(options);
  expect(done).toEqual([['stderr', 'no such file\n'], 1, 1]);
  expectTypeOf(caller).returns.toEqualTypeOf<never>();
});

verifies('S2-66', 'cliOk writes its message on stdout, leaves with 0, and comes back only from a stub', () => {
  const { done, options } = stub();
  const caller = () => cliOk('done', options);
  expect(caller()).toBeUndefined();
  cliOkWithout(options);
  expect(done).toEqual([['stdout', 'done\n'], 0, 0]);
  expectTypeOf(caller).returns.toEqualTypeOf<never>();
});

// In functions of their own: what follows a call typed `never` counts as unreachable.
function cliErrorWithout(options: ReturnType<typeof stub>['options']): void {
  cliError(undefined, options);
}

function cliOkWithout(options: ReturnType<typeof stub>['options']): void {
  cliOk(undefined, options);
}
