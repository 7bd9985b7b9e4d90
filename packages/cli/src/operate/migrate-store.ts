import { migrateStoreFile } from '@proto/ingress/operate';
import type { Result } from './report-result.ts';

/** Brings the tables of a store up to date. Loads the client of PostgreSQL only for a database. */
export async function migrateStore(name: string): Promise<Result> {
  if (!/^postgres(?:ql)?:/.test(name)) {
    const { from, to } = await migrateStoreFile(name);
    const text = from === to ? `${name} has version ${to} already` : `${name} had version ${from} and has ${to} now`;
    return { text, facts: { from, to } };
  }
  // No part of the address is quoted: what cannot be read may be a password.
  if (!URL.canParse(name) || new URL(name).password !== '') {
    throw new Error('the password does not belong into the address: give it in PGPASSWORD or PGPASSFILE');
  }
  const { migratePostgres } = await import('@proto/log-postgres');
  await migratePostgres({ url: name });
  return { text: `${name} has the tables of this version`, facts: { store: name } };
}
