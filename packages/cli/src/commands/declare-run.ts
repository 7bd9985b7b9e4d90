import { type Command, Option } from 'commander';
import type { RunFlags } from './run.ts';

/** Adds `sjp run` to the commands; `agentArgv` is what stands behind `--`, and `ownAgent` the executable of the reference agent. */
export function declareRun(program: Command, agentArgv: readonly string[], ownAgent: string): void {
  program
    .command('run')
    .description('host an agent for one prompt: show what it does, and answer what it asks')
    .usage('[PROMPT] [options] [-- AGENT...]')
    .argument('[prompt]', 'what to ask; - or nothing is stdin')
    .option('--input <file>', 'take the prompt from a file')
    .addOption(
      new Option(
        '--format <format>',
        'what stdout gets: what people read, the result, every message, or the answer alone',
      )
        .choices(['text', 'json', 'ndjson', 'final'])
        .default('text'),
    )
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .option('--permissions <policy>', 'who answers what the agent asks: ask, allow, deny or rules:FILE', 'ask')
    .option('--fail-on-deny', 'exit with 8 when the policy has denied anything')
    .addOption(
      new Option('--until <end>', 'the first result, that nothing goes on any more, or that the agent leaves by itself')
        .choices(['turn', 'idle', 'exit'])
        .default('turn'),
    )
    .option('--timeout <duration>', 'stop it after that long, such as 90s or 2m')
    .option(
      '--idle-timeout <duration>',
      'stop it when it has said nothing for that long, and was not waiting for an answer',
    )
    .option(
      '--adapter <name>',
      'the format of the agent: codex, gemini, opencode, amp, copilot, qwen, pi, kiro, text, …',
    )
    .option(
      '--record <file>',
      'write what goes between host and agent to a file, which `sjp replay` plays; without secrets',
    )
    .option('--no-redact', 'leave the secrets in the recording')
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText(
      'before',
      `Examples:
  sjp run "/read package.json" --permissions ask
  sjp run "fix the failing test" --permissions rules:rules.json -- claude --model sonnet
  git diff | sjp run --format final --permissions deny -- claude
  sjp run "explain this folder" --adapter codex
  sjp run "fix the failing test" --record fix.jsonl -- claude
`,
    )
    .addHelpText(
      'after',
      `
The agent is started with the flags of the protocol; without one it is the reference agent. Ctrl-C interrupts the turn, twice closes,
three times kills. It gets this environment without SJP_*, NODE_OPTIONS and what an agent that has started sjp says of its own
session; sjp-agent also gets SJP_HOME. Permissions are asked for on a terminal; elsewhere what would be asked for is denied.
With --adapter the agent is another one, such as codex or gemini: its own program, or what stands behind --, gets the flags of its
format. It decides on permissions by itself, and Ctrl-C ends it.

Rules are a JSON object: { "allow": ["Read", "Bash(git log *)"], "ask": [], "deny": ["Read(//etc/**)"], "default": "deny" }

Exits with 0, 1 failed, 2 wrong usage, 4 no such agent, 5 the agent ended with an error, 7 timeout, 8 nobody to ask, 130 interrupted,
143 ended by the system. With --format json and ndjson stderr has {"error":{"code":…,"message":…,"retryable":…}}.`,
    )
    .action(async (prompt: string | undefined, options: RunFlags) => {
      const { run } = await import('./run.ts');
      const isOurs = agentArgv.length === 0 && options.adapter === undefined;
      const agent = isOurs ? [ownAgent] : agentArgv;
      process.exitCode = await run(prompt, agent, options);
    });
}
