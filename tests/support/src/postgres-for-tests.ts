import { hasPostgres, startPostgres, type TemporaryPostgres } from './postgres.ts';
import { afterAll, beforeAll, test } from 'vitest';

/** The server of a test file: it starts before the tests, and ends after them. */
export interface PostgresForTests {
  (): TemporaryPostgres;
  /** Whether there are binaries for this platform. Without them the tests are skipped, and in CI a test fails. */
  readonly isInstalled: boolean;
}

/** A machine with much else to do needs some time to copy the binaries and to make an empty database. */
const START_MS = 60_000;

/** Starts a server for the tests of a file. */
export function postgresForTests(settings?: Readonly<Record<string, string>>): PostgresForTests {
  let server: TemporaryPostgres;
  const isInstalled = hasPostgres();
  if (isInstalled) {
    beforeAll(async () => {
      server = await startPostgres(settings);
    }, START_MS);
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
    });
  } else {
    test.skipIf(process.env.CI === undefined)('PostgreSQL is installed', () => {
      throw new Error('PostgreSQL is not available as a package for this platform, so its tests were skipped');
    });
  }
  return Object.assign(() => server, { isInstalled });
}
