import { migrateStoreFile } from '@proto/ingress/operate';
import type { Result } from './report-result.ts';

/** Brings the tables of a store up to date. Loads the client of PostgreSQL only for a database. */
export async function migrateStore(name: string): Promise<Result> {
  if (!isDatabase(name)) {
    const { from, to } = await migrateStoreFile(name);
    const text = from === to ? `${name} has version ${to} already` : `${name} had version ${from} and has ${to} now`;
    return { text, facts: { from, to } };
  }
  refusePassword(name);
  const { migratePostgres } = await import('@proto/log-postgres');
  await migratePostgres({ url: name });
  return { text: `${name} has the tables of this version`, facts: { store: name } };
}

/** Gives the log of a restored database another name. */
export async function renewStore(name: string): Promise<Result> {
  if (!isDatabase(name)) throw new Error('this is for a database; `sjp store restore` does the same for a file');
  refusePassword(name);
  const { renewPostgres } = await import('@proto/log-postgres');
  await renewPostgres({ url: name });
  return { text: `the log in ${name} has another name now; start its nodes`, facts: { store: name } };
}

function isDatabase(name: string): boolean {
  return /^postgres(?:ql)?:/.test(name);
}

/** No part of the address is quoted: what cannot be read may be a password. */
function refusePassword(name: string): void {
  if (URL.canParse(name) && new URL(name).password === '') return;
  throw new Error('the address must not contain a password: give the password in PGPASSWORD or PGPASSFILE');
}
