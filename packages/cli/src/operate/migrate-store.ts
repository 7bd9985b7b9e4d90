import { migrateStoreFile } from '@proto/ingress/operate';
import type { CommandResult } from '@proto/terminal/reports';

/** The PostgreSQL client is loaded only if the store is a database. */
export async function migrateStore(name: string): Promise<CommandResult> {
  const url = databaseOf(name);
  if (url !== undefined) {
    const { migratePostgres } = await import('@proto/log-postgres');
    await migratePostgres({ url });
    return { text: `${name} has the tables of this version`, facts: { store: name } };
  }
  const { from, to } = await migrateStoreFile(name);
  const text = from === to ? `${name} already has version ${to}` : `${name} was updated from version ${from} to ${to}`;
  return { text, facts: { from, to } };
}

export async function renewStore(name: string): Promise<CommandResult> {
  const url = databaseOf(name);
  if (url === undefined)
    throw new Error('this command needs the address of a database. For a file, `sjp store restore` does the same');
  const { renewPostgres } = await import('@proto/log-postgres');
  await renewPostgres({ url });
  return { text: `the log in ${name} now has a new identity; start its nodes`, facts: { store: name } };
}

/** Returns `undefined` for a file. The error does not quote the address, which may contain a password. */
function databaseOf(name: string): string | undefined {
  if (!/^postgres(?:ql)?:/.test(name)) return undefined;
  if (URL.canParse(name) && new URL(name).password === '') return name;
  throw new Error('the address must not contain a password: give the password in PGPASSWORD or PGPASSFILE');
}
