import { FLAG_EFFECTS } from './flag-effects.ts';
import { FLAGS } from './flags.ts';
import type { FlagOptions, HeadlessOptions, JsonObject } from './options.ts';

/**
 * A flag that the host counts on, and that this agent does not say it reads: why it is refused. To pass over a limit or a policy in
 * silence would be worse than not to start.
 */
export function unkeptPromise(options: HeadlessOptions, read: readonly (keyof FlagOptions)[] = []): string | undefined {
  const names = Object.keys(FLAG_EFFECTS) as (keyof FlagOptions)[];
  const unkept = names.find(
    (name) => FLAG_EFFECTS[name] === 'promise' && asks(name, options[name]) && !read.includes(name),
  );
  if (unkept !== undefined) return sentence(flagOf(unkept), unkept);
  const { settings } = options;
  const limit = typeof settings === 'object' && !read.includes('settings') ? limitIn(settings) : undefined;
  return limit && sentence(`--settings with ${limit}`, 'settings');
}

function sentence(what: string, name: keyof FlagOptions): string {
  return `${what} is not supported: this agent does not say that it keeps to it (one that does has '${name}' in its reads)`;
}

/** Whether anything is limited: not by the agent's own set of tools, nor by an empty list of forbidden ones. */
function asks(name: keyof FlagOptions, value: unknown): boolean {
  if (name === 'tools') return value !== undefined && value !== 'default';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** The first member of settings that forbids something or confines it; undefined where none does. */
function limitIn({ permissions, sandbox }: JsonObject): string | undefined {
  const { deny, ask, disableBypassPermissionsMode: noBypass } = Object(permissions) as JsonObject;
  if (Array.isArray(deny) && deny.length > 0) return 'permissions.deny';
  if (Array.isArray(ask) && ask.length > 0) return 'permissions.ask';
  if (noBypass === 'disable') return 'permissions.disableBypassPermissionsMode';
  return Object(sandbox).enabled === true ? 'sandbox.enabled' : undefined;
}

/** As it is written on a command line. */
function flagOf(name: keyof FlagOptions): string {
  return /--[a-z-]+/.exec(FLAGS[name].notation)?.[0] ?? name;
}
