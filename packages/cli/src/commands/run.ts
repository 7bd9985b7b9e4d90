import { type Command, Option } from 'commander';
import type { RunProcess } from '@proto/terminal';
import type { RunOptions } from '@proto/terminal/run';

export type RunFlags = Omit<RunOptions, 'name' | 'home' | 'variables'>;

const EXAMPLES = `Examples:
  sjp run "/read package.json" --permissions ask
  sjp run "fix the failing test" --permissions rules:rules.json -- claude --model sonnet
  git diff | sjp run --format final --permissions deny -- claude
  sjp run "explain this folder" --adapter codex
  sjp run "fix the failing test" --record fix.jsonl -- claude
`;

const NOTES = `
AGENT is started with the flags of the protocol. Without AGENT, the reference agent is started. The first Ctrl-C interrupts the turn, the
second closes the agent, the third kills the agent. The agent gets the environment variables of this command, except SJP_*, NODE_OPTIONS and
the variables by which an agent identifies its own session; sjp-agent also gets SJP_HOME. On a terminal, you are asked for permissions.
Without a terminal, permissions are denied.
With --adapter, the agent is a program with another output format, such as codex or gemini: the program of that name, or AGENT, gets the
flags for that format. Such an agent decides about permissions by itself, and Ctrl-C ends it.
With --timeout, the agent gets SIGTERM when a tenth of the time is left, but no earlier than 2 s before the limit, and SIGKILL at the limit.
With --idle-timeout, the agent gets SIGTERM at the limit, and SIGKILL 2 s later.

Rules are a JSON object: { "allow": ["Read", "Bash(git log *)"], "ask": [], "deny": ["Read(//etc/**)"], "default": "deny" }

Exit codes: 0 success, 1 failed, 2 wrong usage, 4 agent not found, 5 the agent ended with an error, 7 timeout, 8 permission refused,
130 interrupted, 143 terminated by SIGTERM. With --format json and ndjson, an error on stderr is {"error":{"code":…,"message":…,"retryable":…}}.`;

export function declareRun(program: Command, agentArgv: readonly string[], ownAgent: string): void {
  program
    .command('run')
    .description('run an agent for one prompt: show what the agent does, and answer its questions')
    .usage('[PROMPT] [options] [-- AGENT...]')
    .argument('[prompt]', 'the prompt; without a prompt, or with -, it is read from stdin')
    .option('--input <file>', 'read the prompt from a file')
    .addOption(
      new Option(
        '--format <format>',
        'output format: text (for people), json (the result), ndjson (every message), final (only the answer)',
      )
        .choices(['text', 'json', 'ndjson', 'final'])
        .default('text'),
    )
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .option('--permissions <policy>', 'how permission requests are answered: ask, allow, deny or rules:FILE', 'ask')
    .option('--fail-on-deny', 'exit with 8 if the policy denied anything')
    .addOption(
      new Option(
        '--until <end>',
        'when to end: turn (the first result), idle (no turn and no task is running), exit (the agent exits by itself)',
      )
        .choices(['turn', 'idle', 'exit'])
        .default('turn'),
    )
    .option(
      '--timeout <duration>',
      'how long the run may take, including the time that the agent needs to exit, such as 90s or 2m',
    )
    .option(
      '--idle-timeout <duration>',
      'stop the run if the agent was silent for this time without waiting for an answer',
    )
    .option(
      '--adapter <name>',
      'the format of the agent: codex, gemini, opencode, amp, copilot, qwen, pi, kiro, text, …',
    )
    .option('--record <file>', 'record the messages of host and agent in a file for `sjp replay`, without secrets')
    .option('--no-redact', 'do not remove secrets from the recording')
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (prompt: string | undefined, options: RunFlags) => {
      const isOurs = agentArgv.length === 0 && options.adapter === undefined;
      const agent = isOurs ? [ownAgent] : agentArgv;
      process.exitCode = await run(prompt, agent, options);
    });
}

export async function run(
  prompt: string | undefined,
  agent: readonly string[],
  flags: RunFlags,
  here: RunProcess = process,
): Promise<number> {
  const [{ runPrompt }, { ownVariables }, { homedir }] = await Promise.all([
    import('@proto/terminal/run'),
    import('../own-variables.ts'),
    import('node:os'),
  ]);
  const variables = (commandLine: readonly string[]) => ownVariables(commandLine, here.env);
  return runPrompt(prompt, agent, { ...flags, name: 'sjp run', home: homedir(), variables }, here);
}
