import type { InspectOptions } from '@proto/inspector';
import type { Endpoint } from '@proto/remote/bridge';
import { planBridge } from '../bridge/bridge-plan.ts';
import type { Place } from '../token-file.ts';

export interface InspectFlags {
  readonly port: string;
  readonly open?: boolean;
  readonly session?: string;
  readonly tokenFile?: string;
  readonly tap?: string;
  readonly json?: boolean;
}

const IS_SERVER = /^(?:sse\+)?(?:https?|wss?):\/\//i;

/** @throws {Error} if an argument or a flag is invalid, or if flags cannot be combined */
export function planInspect(
  what: readonly string[],
  program: readonly string[],
  options: InspectFlags,
  place: Place,
): Pick<InspectOptions, 'what' | 'port'> {
  const { session, tap } = options;
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not "${options.port}"`);
  const [first] = what;
  if (program.length > 0 || what.length > 1) {
    if (session !== undefined) throw new Error('--session needs the URL of a session server as the only argument');
    const { host, agent } = planBridge(what, program, {}, place);
    // The host is always an endpoint here, because only --listen gives it another form.
    return { what: { host: host as Endpoint, agent, tap }, port };
  }
  if (first === undefined)
    throw new Error('give a recording, two endpoints, the URL of a server, or a command after --');
  if (tap !== undefined) throw new Error('--tap can only be used with a bridge');
  if (IS_SERVER.test(first)) return { what: { address: first, session }, port };
  if (session !== undefined)
    throw new Error('--session needs the URL of a session server, which begins with http:// or https://');
  return { what: { file: first }, port };
}
