import { Command, type Option } from 'commander';

const OFF = ['0', 'false', 'no'];

/**
 * A command whose options each have a variable that says the same: `SJP_IDLE_TIMEOUT` for `--idle-timeout`. An option that means something else
 * in another command has a variable of its own, with the command in its name: `SJP_SERVE_IDLE_TIMEOUT`. What is on the command line wins. An empty variable says nothing, and one of a switch may be off.
 */
export class EnvCommand extends Command {
  override createCommand(name?: string): Command {
    return new EnvCommand(name);
  }

  override addOption(option: Option): this {
    const name = option.envVar ?? `SJP_${option.name().replaceAll('-', '_').toUpperCase()}`;
    const value = process.env[name];
    // Commander looks at the variables itself, and takes any as a yes.
    if (value === '' || (option.isBoolean() && OFF.includes(value ?? ''))) delete process.env[name];
    return super.addOption(option.env(name));
  }
}
