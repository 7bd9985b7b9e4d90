import { verifies } from '@proto/requirements';
import { expect, expectTypeOf } from 'vitest';
import { cliError } from './exit-code.ts';

verifies('S2-65', 'cliError writes its message on stderr, exits with 1, and returns only from a stub', () => {
  const done: unknown[] = [];
  const options = {
    stderr: { write: (text: string) => done.push(text) > 0 },
    exit: (code: number) => void done.push(code),
  };
  const caller = () => cliError('no such file', options);
  expect(caller()).toBeUndefined();
  withoutMessage(options);
  expect(done).toEqual(['no such file\n', 1, 1]);
  expectTypeOf(caller).returns.toEqualTypeOf<never>();
});

// In a function of its own: code after a call typed `never` counts as unreachable.
function withoutMessage(options: Parameters<typeof cliError>[1]): void {
  cliError(undefined, options);
}
