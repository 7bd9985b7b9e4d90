import type { Command } from 'commander';
import { ownVariables } from '../own-variables.ts';

const NOTES = `
An editor starts this command. AGENT is started for each session of the editor. Default: the reference agent. docs/editors.md shows how
to set up an editor, and what the editor shows. Exit codes: 0 the editor has closed the connection, 1 failed, 2 wrong usage.`;

export function declareAcp(program: Command, agent: readonly string[], version: string): void {
  program
    .command('acp')
    .description('make an agent available in an editor, through the Agent Client Protocol')
    .usage('[options] [-- AGENT...]')
    .addHelpText('before', 'Example:\n  sjp acp -- claude --model sonnet\n')
    .addHelpText('after', NOTES)
    .action(async () => {
      const { serveEditor } = await import('@proto/acp/node');
      const variables = ownVariables(agent, process.env);
      await serveEditor(agent, { info: { name: 'sjp', version }, variables }, process);
    });
}
