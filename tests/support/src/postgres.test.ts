import { expect, test } from 'vitest';
import { hasPostgres, startPostgres } from './postgres.ts';

test.runIf(hasPostgres())('a database that ends before it is ready fails at once, with what it printed', async () => {
  await expect(startPostgres({ no_such_setting: '1' })).rejects.toThrow(
    /unrecognized configuration parameter "no_such_setting"/,
  );
});
