import type { Command } from 'commander';
import { tokenFileOption } from '../command-line.ts';
import { ownVariables } from '../own-variables.ts';
import { tokenFinder } from '../token-file.ts';

const NOTES = `
An editor starts this command. AGENT is started for each session of the editor. Default: the reference agent. With --connect, the agents are
those of a server (sjp serve), and go on when the editor is closed. docs/editors.md shows how to set up an editor, and what it shows.
Exit codes: 0 the editor has closed the connection, 1 failed, 2 wrong usage.`;

export function declareAcp(program: Command, agent: readonly string[], version: string): void {
  program
    .command('acp')
    .description('make an agent available in an editor, through the Agent Client Protocol')
    .usage('[options] [-- AGENT...]')
    .option('--connect <url>', 'open sessions of this server: http://, https://, sse+http://, ws:// or wss://')
    .addOption(tokenFileOption())
    .addHelpText('before', 'Examples:\n  sjp acp -- claude\n  sjp acp --connect https://sessions.example\n')
    .addHelpText('after', NOTES)
    .action(async ({ connect, tokenFile }: { connect?: string; tokenFile?: string }) => {
      const { serveEditor } = await import('@proto/terminal/editor');
      const given = { connect, token: tokenFinder(tokenFile, process), variables: ownVariables(agent, process.env) };
      const serving = serveEditor(agent, { info: { name: 'sjp', version }, ...given }, process);
      await serving.catch(({ message }: Error) => program.error(`error: ${message}`));
    });
}

const AGENT_NOTES = `
AGENT is the command of an agent that uses the Agent Client Protocol. The last -- ends it: a host appends its flags after this --, as in the
example. docs/editors.md lists what the two protocols cannot pass on to each other.`;

export function declareAcpAgent(program: Command, words: readonly string[], stay: () => void): void {
  program
    .command('acp-agent')
    .description('be an agent for a stream-json host, with an agent that uses the Agent Client Protocol')
    .usage('[options] [-- AGENT... -- FLAGS...]')
    .option('--files', 'read and write the files of the working directory for the agent')
    .option('--login <id>', 'log in before the session begins: one of the ways that the agent lists')
    .addHelpText('before', 'Example:\n  sjp run "fix the test" -- sjp acp-agent -- opencode acp --\n')
    .addHelpText('after', AGENT_NOTES)
    .action(async ({ files = false, login: authMethod }: { files?: boolean; login?: string }) => {
      const { runAcpAgent } = await import('@proto/terminal/editor');
      stay();
      const options = { files, variables: ownVariables(words, process.env), ...(authMethod && { authMethod }) };
      await runAcpAgent(words, options, process).catch(({ message }: Error) => program.error(`error: ${message}`));
    });
}
