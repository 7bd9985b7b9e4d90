import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DoctorOptions } from '@proto/terminal/doctor';
import { tokenFileOption } from '../command-line.ts';

interface DoctorFlags extends Pick<DoctorOptions, 'agent' | 'url' | 'port' | 'json' | 'color'> {
  readonly tokenFile?: string;
}

export function declareDoctor(program: Command, version: string): void {
  program
    .command('doctor')
    .description('examine this machine, an agent and a connection, and report what is wrong and how to fix it')
    .option(
      '--agent <command>',
      'examine this agent: its version, and whether it answers and writes only messages to stdout',
    )
    .addOption(
      new Option('--url <url>', 'check a connection to this server, or to one of its sessions, step by step').env(
        'SJP_DOCTOR_URL',
      ),
    )
    .addOption(tokenFileOption())
    .addOption(
      new Option('--port <port>', 'the port on which `sjp serve` would listen').argParser(portOf).default(4983),
    )
    .option('--json', 'write the report as one JSON object')
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText(
      'before',
      `Examples:
  sjp doctor --agent claude
  sjp doctor --url https://box.example --token-file token
`,
    )
    .addHelpText(
      'after',
      `
The report contains no secrets, so you can include it in a request for help. The agent is started and initialized, but gets no prompt.

Exits with 0 if nothing is wrong, 3 for a refused token, 4 for an agent or a server that cannot be reached, 1 for anything else.`,
    )
    .action(async ({ tokenFile, ...flags }: DoctorFlags) => {
      const [{ runDoctor }, { tokenFinder }] = await Promise.all([
        import('@proto/terminal/doctor'),
        import('../token-file.ts'),
      ]);
      const { env, stdout, versions, platform, arch } = process;
      const here = { env, stdout, nodeVersion: versions.node, platform: `${platform} ${arch}` };
      const token = tokenFinder(tokenFile, process);
      try {
        process.exitCode = await runDoctor({ ...flags, program: `sjp ${version}`, token }, here);
      } catch (error) {
        const { messageFor } = await import('@proto/terminal/process');
        process.stderr.write(`sjp doctor: ${messageFor(error as Error)}\n`);
        process.exitCode = 2;
      }
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 1 && port < 65_536))
    throw new InvalidArgumentError('The port must be a number from 1 to 65535.');
  return port;
}
