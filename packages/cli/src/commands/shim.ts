import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import type { InstallOptions, InstallPlace } from '@proto/shim/install';

export function declareShim(program: Command): void {
  const shim = program
    .command('shim')
    .description('act as an agent that runs on another machine; accepts the flags that hosts pass to an agent')
    .helpOption(false)
    // A word that is not a command is treated as a prompt.
    .helpCommand(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt] | install NAME | uninstall NAME')
    .argument('[args...]')
    .addHelpText('after', '\nsjp shim --help lists the flags.')
    .action(async (args: string[]) => {
      const { runShimProgram } = await import('@proto/shim/program');
      process.exitCode = await runShimProgram(args, process);
    });
  shim
    .command('install')
    .description('create an executable that starts the shim, in a folder on the PATH')
    .helpOption('-h, --help')
    .argument('<name>', 'the name of the executable, such as my-agent')
    .addOption(dirOption())
    .addOption(
      new Option('--url <url>', 'the address of the agent, used if SJP_SHIM_URL is not set').env('SJP_SHIM_URL'),
    )
    .addOption(
      new Option('--token-file <file>', 'the file with the token, used if SJP_SHIM_TOKEN_FILE is not set').env(
        'SJP_SHIM_TOKEN_FILE',
      ),
    )
    .addOption(
      new Option('--force', 'replace the file even if this command did not write it').env('SJP_SHIM_INSTALL_FORCE'),
    )
    .addHelpText(
      'before',
      `Examples:
  sjp shim install my-agent --url https://box.example/v1 --token-file ~/.sjp-token
  sjp shim install claude --dir ./bin
`,
    )
    .addHelpText('after', '\nExits with 1 if the file exists and is not a shim, or cannot be written.')
    .action((name: string, options: InstallOptions) =>
      change(async (place) => (await import('@proto/shim/install')).installShim(name, options, place)),
    );
  shim
    .command('uninstall')
    .description('remove an executable that `sjp shim install` created')
    .helpOption('-h, --help')
    .argument('<name>', 'the name of the executable')
    .addOption(dirOption())
    .action((name: string, options: Pick<InstallOptions, 'dir'>) =>
      change(async (place) => (await import('@proto/shim/install')).uninstallShim(name, options, place)),
    );
}

function dirOption(): Option {
  return new Option('--dir <folder>', 'the folder of the executable (default: ~/.local/bin)').env(
    'SJP_SHIM_INSTALL_DIR',
  );
}

async function change(action: (place: InstallPlace) => Promise<void>): Promise<void> {
  const { homedir } = await import('node:os');
  try {
    await action({
      platform: process.platform,
      env: process.env,
      home: homedir(),
      cwd: process.cwd(),
      node: process.execPath,
      shim: fileURLToPath(new URL('shim.js', import.meta.url)),
      write: (text) => void process.stdout.write(text),
    });
  } catch (error) {
    const { messageFor } = await import('@proto/terminal/process');
    process.stderr.write(`sjp shim: ${messageFor(error as Error)}\n`);
    process.exitCode = 1;
  }
}
