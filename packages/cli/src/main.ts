#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import about from '../package.json' with { type: 'json' };
import { EnvCommand, splitArgv } from './command-line.ts';
import { declareAcp, declareAcpAgent } from './commands/acp.ts';
import { declareAgent } from './commands/agent.ts';
import { declareBridge } from './commands/bridge.ts';
import { declareCassette } from './commands/cassette.ts';
import { declareCompletion } from './commands/completion.ts';
import { declareConformance } from './commands/conformance.ts';
import { declareConnect } from './commands/connect.ts';
import { declareConvert } from './commands/convert.ts';
import { declareDemo } from './commands/demo.ts';
import { declareDiff } from './commands/diff.ts';
import { declareDoctor } from './commands/doctor.ts';
import { declareExplain } from './commands/explain.ts';
import { declareFake } from './commands/fake.ts';
import { declareInspect } from './commands/inspect.ts';
import { declareReplay } from './commands/replay.ts';
import { declareRun } from './commands/run.ts';
import { declareServe } from './commands/serve.ts';
import { declareSessions } from './commands/sessions.ts';
import { declareShim } from './commands/shim.ts';
import { declareStore } from './commands/store.ts';
import { declareToken } from './commands/token.ts';
import { declareValidate } from './commands/validate.ts';
import { errorLine } from '@proto/terminal/process';

// EPIPE means that the reader of stdout has disconnected, which is not an error. A child of this process exits when its input closes.
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.stderr.write(`sjp: cannot write the output: ${code ?? message}\n`);
  process.exit(code === 'EPIPE' ? 0 : 1);
}
process.stdout.on('error', onOutputError);
const stay = () => void process.stdout.off('error', onOutputError);

const ownAgent = fileURLToPath(new URL('agent.js', import.meta.url));

const { argv, agentArgv } = splitArgv(process.argv);

const program = new EnvCommand('sjp')
  .description('Run, inspect and test stream-json agents.')
  .version(about.version, '-v, --version', 'write the version of this program')
  // `sjp agent -v` prints the version of the agent.
  .enablePositionalOptions()
  .addHelpText(
    'before',
    `Examples:
  sjp demo
  sjp run "fix the failing test" -- claude
  sjp serve -- claude
  sjp validate wire.ndjson
`,
  )
  .addHelpText('after', '\n`--help --json` writes the commands and their flags as JSON.')
  .configureOutput({
    outputError(text, write) {
      write(asksForJson() ? errorLine({ code: 'usage', message: text.trim().replace(/^error: /, '') }) : text);
    },
  })
  // If the command line is invalid, the program exits with code 2. Subcommands inherit this.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

program.commandsGroup('Run an agent:');
declareDemo(program, ownAgent);
declareRun(program, agentArgv, ownAgent);
declareAcp(program, agentArgv.length === 0 ? [ownAgent] : agentArgv, about.version);
declareAcpAgent(program, agentArgv, stay);
declareDoctor(program, about.version);

program.commandsGroup('Look at a session:');
declareExplain(program);
declareInspect(program, agentArgv);
declareValidate(program);
declareDiff(program);
declareConvert(program);

program.commandsGroup('Serve sessions to other machines:');
declareServe(program, agentArgv);
declareConnect(program);
declareSessions(program);
declareToken(program);
declareStore(program);
declareBridge(program, agentArgv);
declareShim(program);

program.commandsGroup('Test a host, an agent or a server:');
// `stay`: an agent must finish its turn even if its reader has disconnected.
declareAgent(program, stay);
declareFake(program, agentArgv);
// `stay`: a host that disconnects without reading differs from the recording, and replay must report this.
declareReplay(program, agentArgv, stay);
declareCassette(program, agentArgv);
declareConformance(program, agentArgv);

program.commandsGroup('Set up:').helpCommand(true);
declareCompletion(program);

const [, , word, ...flags] = argv;
const asked = program.commands.find((command) => command.name() === word);
if (word !== 'agent' && word !== 'shim' && [word, ...flags].includes('--help') && flags.includes('--json')) {
  const { commandTree } = await import('@proto/terminal/commands');
  process.stdout.write(`${JSON.stringify(commandTree(asked ?? program), null, 2)}\n`);
} else {
  const takesProgram = /^(acp|acp-agent|bridge|cassette|conformance|fake|inspect|replay|run|serve)$/.test(word ?? '');
  await program.parseAsync(takesProgram || agentArgv.length === 0 ? argv : process.argv);
}

function asksForJson(): boolean {
  const wanted = ['--json', '--format=json', '--format=ndjson'];
  return argv.some((flag, at) => wanted.includes(flag === '--format' ? `--format=${argv[at + 1]}` : flag));
}
