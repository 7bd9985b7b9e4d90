import { type Command, Option } from 'commander';

export function declareStore(program: Command): void {
  const store = program.command('store').description('back up, restore, check and migrate the store of a server');
  declareCopies(store);
  store
    .command('check')
    .description('check a store for damage, even while its server runs; exits with 1 if the store is damaged')
    .argument('<file>', 'the store')
    .addOption(json())
    .action((file: string, options: { readonly json?: boolean }) =>
      operate(options, 'store check', async ({ checkStoreFile }) => {
        const { problems, ...facts } = await checkStoreFile(file);
        const { version, sessions, events, bytes } = facts;
        return {
          text: `${file}: version ${version}, ${sessions} sessions, ${events} events, ${bytes} bytes`,
          facts,
          problems,
        };
      }),
    );
  store
    .command('renew')
    .description('mark a database as restored from a backup, so that clients get an error if their events were lost')
    .argument('<store>', 'postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or PGPASSFILE')
    .addOption(json())
    .action((name: string, options: { readonly json?: boolean }) =>
      operate(options, 'store renew', async () => (await import('../operate/migrate-store.ts')).renewStore(name)),
    );
  store
    .command('migrate')
    .description(
      'update the tables of a store to the current version, or create the tables of a database; make a backup first',
    )
    .argument('<store>', 'a file, or postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or PGPASSFILE')
    .addOption(json())
    .action((name: string, options: { readonly json?: boolean }) =>
      operate(options, 'store migrate', async () => (await import('../operate/migrate-store.ts')).migrateStore(name)),
    );
}

const json = () => new Option('--json', 'write the result as JSON');

function declareCopies(store: Command): void {
  store
    .command('backup')
    .description('copy a store into a new file, even while its server runs')
    .argument('<file>', 'the store, such as sessions.db')
    .argument('<copy>', 'the new file; it contains the secret of the server, and only its owner can read it')
    .addOption(json())
    .action((file: string, copy: string, options: { readonly json?: boolean }) =>
      operate(options, 'store backup', async ({ backupStoreFile, checkStoreFile }) => {
        await backupStoreFile(file, copy);
        const { sessions, events, problems } = await checkStoreFile(copy);
        return {
          text: `${copy} contains ${sessions} sessions and ${events} events`,
          facts: { copy, sessions, events },
          problems,
        };
      }),
    );
  store
    .command('restore')
    .description('replace a store with a copy; stop its server first')
    .argument('<copy>', 'a file that `sjp store backup` wrote')
    .argument('<file>', 'the store')
    .addOption(new Option('--replace', 'replace the existing store; the old store is kept in the same folder'))
    .addOption(json())
    .action((copy: string, file: string, options: { readonly json?: boolean; readonly replace?: boolean }) =>
      operate(options, 'store restore', async ({ restoreStoreFile }) => {
        const { replaced, sessions, events } = await restoreStoreFile(copy, file, options);
        const kept = replaced === undefined ? '' : `; the previous store is now ${replaced}`;
        return {
          text: `${file} contains ${sessions} sessions and ${events} events${kept}`,
          facts: { file, sessions, events, replaced },
        };
      }),
    );
}

type Work = (
  operate: typeof import('@proto/ingress/operate'),
) => Promise<import('@proto/terminal/reports').CommandResult>;

async function operate({ json }: { readonly json?: boolean }, command: string, work: Work): Promise<void> {
  const { reportResult } = await import('@proto/terminal/reports');
  process.exitCode = await reportResult(
    async () => work(await import('@proto/ingress/operate')),
    { json, command },
    process,
  );
}
