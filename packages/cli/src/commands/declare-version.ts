import type { Command } from 'commander';

/** Adds `sjp version` to the commands. */
export function declareVersion(program: Command): void {
  program
    .command('version')
    .description('tell the version of this program')
    .option('--json', 'also those of Node and of the protocol')
    .action(async (options: { readonly json?: boolean }) => {
      const { version: tell } = await import('./version.ts');
      tell(options);
    });
}
