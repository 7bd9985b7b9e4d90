import { verifies } from '@proto/test-support/verifies';
import { afterEach, expect, expectTypeOf, vi } from 'vitest';
import { cliError } from './exit-code.ts';

afterEach(() => void vi.restoreAllMocks());

verifies(
  'PROGRAM-17',
  'cliError writes its message on stderr, exits with 1, and returns only from a stub of process.exit',
  () => {
    const done: unknown[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => done.push(text) > 0);
    vi.spyOn(process, 'exit').mockImplementation((code) => done.push(code) as never);
    const caller = () => cliError('no such file');
    expect(caller()).toBeUndefined();
    withoutMessage();
    expect(done).toEqual(['no such file\n', 1, 1]);
    expectTypeOf(caller).returns.toEqualTypeOf<never>();
  },
);

// In a separate function, because TypeScript treats code after a call of type `never` as unreachable.
function withoutMessage(): void {
  cliError();
}
