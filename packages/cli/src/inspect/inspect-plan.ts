import { type BridgePlace, type BridgePlan, planBridge } from '../bridge/bridge-plan.ts';

/** The flags of `sjp inspect`. */
export interface InspectOptions {
  readonly port: string;
  readonly open?: boolean;
  readonly session?: string;
  readonly tokenFile?: string;
  readonly tap?: string;
  readonly json?: boolean;
}

/** What is inspected, and where the page is. */
export type InspectPlan = { readonly port: number } & (
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'server'; readonly address: string; readonly session: string | undefined }
  | { readonly kind: 'bridge'; readonly bridge: BridgePlan }
);

const IS_SERVER = /^(?:sse\+)?(?:https?|wss?):\/\//i;

/**
 * Reads what is inspected, and the flags.
 *
 * @throws Error where they are not understood, or do not go together.
 */
export function planInspect(
  what: readonly string[],
  program: readonly string[],
  options: InspectOptions,
  place: BridgePlace,
): InspectPlan {
  const { session, tap, tokenFile } = options;
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port > 65_535)
    throw new Error(`--port takes a number up to 65535, not "${options.port}"`);
  const [first] = what;
  if (program.length > 0 || what.length > 1) {
    if (session !== undefined) throw new Error('--session is for a server of sessions: give its URL alone');
    const bridge = planBridge(what, program, tokenFile === undefined ? {} : { tokenFile }, place);
    if (typeof bridge.host !== 'string' && 'kind' in bridge.host) {
      throw new Error('the worker of a session is not inspected: give the URL of the server, and --session');
    }
    return { kind: 'bridge', bridge, port };
  }
  if (first === undefined)
    throw new Error('give a recording, two endpoints, the URL of a server, or a command after --');
  if (tap !== undefined) throw new Error('--tap is for a bridge');
  if (IS_SERVER.test(first)) return { kind: 'server', address: first, session, port };
  if (session !== undefined) throw new Error('--session is for a server of sessions, whose URL is http:// or https://');
  return { kind: 'file', file: first, port };
}
