import { dirname, resolve } from 'node:path';
import { expect } from 'vitest';
import { type Cassette, withCassette, type WithCassetteOptions } from '../cassettes/with-cassette.ts';

/**
 * Runs a test with a cassette, like `withCassette` in `@proto/testkit/cassettes`. A file name is relative to the folder of the test file.
 * @throws {CassetteError} `missing-file`: the file does not exist, and `CI` is set. `unknown-request`: the agent sent a request that the tape does
 * not contain.
 */
export function useCassette<T>(
  file: string,
  test: (cassette: Cassette) => Promise<T>,
  options?: WithCassetteOptions,
): Promise<T> {
  const { testPath = '' } = expect.getState();
  return withCassette(resolve(dirname(testPath), file), test, options);
}
