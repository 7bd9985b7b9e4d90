import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckAgentOptions, CheckHostOptions, CheckServerOptions } from '@proto/conformance/command';
import { collect } from '../command-line.ts';

export function declareConformance(program: Command, programArgv: readonly string[]): void {
  const conformance = program
    .command('conformance')
    .description('check whether an agent, a host or a server conforms to the protocol')
    .addHelpText(
      'before',
      `Examples:
  sjp conformance agent --profile core -- my-agent
  sjp conformance agent --include agent/permissions --reporter junit=out.xml -- my-agent
  sjp conformance host -- node my-host.mjs
  sjp conformance server --url http://127.0.0.1:8080 --tokens tokens.yaml
`,
    );
  withSharedOptions(conformance.command('agent'))
    .description('check an agent: the suite acts as its host, and starts the agent with the arguments that hosts pass')
    .usage('[options] -- AGENT...')
    .option(
      '--prompts <file>',
      'a file with a prompt map, or sjp-agent, fixture or model for a built-in map (default: detected by a probe)',
    )
    .action((options: Omit<CheckAgentOptions, 'command'>, command: Command) => {
      demandProgram(command, programArgv);
      return run(({ checkAgent }, signal) => checkAgent({ ...options, command: programArgv, signal }, process));
    });
  withSharedOptions(conformance.command('host'))
    .description('check a host: the suite acts as its agent, at the path in SJP_CONFORMANCE_AGENT')
    .usage('[options] -- HOST...')
    .option('--features <name>', 'a feature of the program, if the program is not an adapter; repeatable', collect)
    .addOption(
      new Option('--adapter', 'the program is an adapter for a library, and exchanges JSON lines with the suite').env(
        'SJP_CONFORMANCE_ADAPTER',
      ),
    )
    .action((options: Omit<CheckHostOptions, 'command'>, command: Command) => {
      demandProgram(command, programArgv);
      return run(({ checkHost }, signal) => checkHost({ ...options, command: programArgv, signal }, process));
    });
  withSharedOptions(conformance.command('server'))
    .description('check a server of remote sessions, over event streams with POST and over WebSocket')
    .requiredOption('--url <url>', 'the address of the server')
    .requiredOption(
      '--tokens <file>',
      'the file with the tokens of the roles, the way to create a session, and the features of the server',
    )
    .action((options: CheckServerOptions) =>
      run(({ checkServer }, signal) => checkServer({ ...options, signal }, process)),
    );
  declareCases(conformance);
}

function declareCases(conformance: Command): void {
  conformance
    .command('list')
    .description('list the cases')
    .argument('[cases...]', 'case ids, beginnings of case ids, patterns with *, or requirement ids')
    .option('--json', 'write NDJSON, one case per line')
    .action(async (include: string[], options: { readonly json?: boolean }) => {
      const { listCases } = await import('@proto/conformance/command');
      process.exitCode = listCases(include, options, process);
    });
  conformance
    .command('explain')
    .description('write the requirements and the steps of cases')
    .argument('<cases...>', 'the cases, selected as for `list`')
    .action(async (names: string[]) => {
      const { explainCases } = await import('@proto/conformance/command');
      process.exitCode = explainCases(names, process);
    });
}

function withSharedOptions(command: Command): Command {
  return command
    .option(
      '--include <case>',
      'run only these cases: an id, the beginning of an id, a pattern with *, or a requirement; repeatable',
      collect,
    )
    .option('--profile <name>', 'run only a profile: core (start here), sessions, permissions, hooks, mcp or remote')
    .option('--cases <file>', 'run the cases of this YAML file instead of the suite, such as a file from sjp inspect')
    .option('--random <number>', 'run this many generated sessions instead of the cases', numberOf)
    .option('--seed <number>', 'the seed of the random numbers: the same seed gives the same run', numberOf, 1)
    .option(
      '--compare-with <command>',
      'run each generated session also on this agent or host, and report what the program does differently',
    )
    .option('--spec <version>', 'the version of the specification, such as 1.0')
    .option('--expected-failures <file>', 'a YAML file with the cases that are known to fail, each with a reason')
    .option('--strict', 'treat warnings as failures')
    .option(
      '--reporter <name>',
      'text, json, markdown, github, junit=FILE or badge=FILE; =FILE after any name writes to this file; repeatable',
      collect,
    )
    .option('--trace <folder>', 'write a recording of each case')
    .option('--jobs <number>', 'the number of cases that run at the same time (default: 4 to 8)', numberOf)
    .option('--timeout-scale <factor>', 'multiply all time limits by this number (default: 1)', numberOf)
    .addHelpText(
      'after',
      '\nExits with 0 if the program conforms, 6 for failures or a stale list of expected failures, 4 if the program did not start,\n2 for a wrong command line, 1 for an error of the suite.',
    );
}

type Library = typeof import('@proto/conformance/command');

/** The first Ctrl-C ends the programs that the suite started. */
async function run(cases: (library: Library, signal: AbortSignal) => Promise<number>): Promise<void> {
  const [library, { EXIT, stopSignals }] = await Promise.all([
    import('@proto/conformance/command'),
    import('@proto/terminal/process'),
  ]);
  const stop = new AbortController();
  let stopped: number | undefined;
  const { first, leave } = stopSignals(process);
  void first.then((signal) => {
    stopped = EXIT[signal === 'SIGINT' ? 'interrupted' : 'terminated'];
    stop.abort();
  });
  try {
    process.exitCode = await cases(library, stop.signal);
  } catch (error) {
    if (stopped === undefined) throw error;
    process.exitCode = stopped;
  } finally {
    leave();
  }
}

function demandProgram(command: Command, argv: readonly string[]): void {
  if (argv.length === 0) command.error('error: the command line of the program is missing: add -- and the program');
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('The value must be a number above 0.');
  return number;
}
