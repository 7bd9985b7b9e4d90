import type { Command } from 'commander';

const EXAMPLES = `Examples:
  sjp acp
  sjp acp -- claude --model sonnet
`;

const NOTES = `
An editor starts this command and uses the Agent Client Protocol, version 1, over stdin and stdout. AGENT is started once for each session of
the editor, with the flags of the protocol. Without AGENT, the reference agent is started. The agent gets the environment variables of this
command, except SJP_*, NODE_OPTIONS and the variables by which an agent identifies its own session; sjp-agent also gets SJP_HOME.
The editor lists, loads and deletes the conversations in the session files of the user. What AGENT writes to stderr is written to stderr.

Exit codes: 0 the editor has closed the connection, 1 failed, 2 wrong usage.`;

/** `version` is the version that the editor shows. */
export function declareAcp(program: Command, agentArgv: readonly string[], ownAgent: string, version: string): void {
  program
    .command('acp')
    .description('make an agent available in an editor, through the Agent Client Protocol')
    .usage('[options] [-- AGENT...]')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async () => {
      const [{ serveEditor }, { ownVariables }] = await Promise.all([
        import('@proto/acp/node'),
        import('../own-variables.ts'),
      ]);
      const agent = agentArgv.length === 0 ? [ownAgent] : agentArgv;
      await serveEditor(
        agent,
        { info: { name: 'sjp', version }, variables: ownVariables(agent, process.env) },
        process,
      );
    });
}
