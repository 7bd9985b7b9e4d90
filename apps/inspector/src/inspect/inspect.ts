import type { RunningBridge } from '@proto/remote/bridge';
import type { InspectedSessions } from '../server/inspected-sessions.ts';
import { DEFAULT_INSPECTOR_PORT, serveInspector } from '../server/inspector-server.ts';
import { type BridgeSettings, inspectBridge, type InspectedBridge } from './inspect-bridge.ts';
import { inspectFile } from './inspect-file.ts';
import { type InspectedServer, inspectServer } from './inspect-server.ts';
import { openBrowser } from './open-browser.ts';

/** What is inspected, where the page is, and what programs and links get. */
export interface InspectOptions extends BridgeSettings {
  /** A recording by the name of its file, a bridge, or a server of sessions. */
  readonly what: { readonly file: string } | InspectedBridge | InspectedServer;
  /** The port of the page on 127.0.0.1; 0 takes a free port. Default 6374. */
  readonly port?: number | undefined;
  /** The name of the program in advice about a wrong file. Default `sjp inspect`. */
  readonly name?: string | undefined;
  /** Opens the page in the browser of this machine. `onNoBrowser` is called if this is not possible. Default false. */
  readonly open?: boolean | undefined;
  readonly onNoBrowser?: ((message: string) => void) | undefined;
}

/** A page that shows a session. */
export interface RunningInspector extends Omit<RunningBridge, 'closed'> {
  /** The address of the page, without a slash at its end. */
  readonly url: string;
  /** Returns the address with a new ticket, which is valid once and for 60 s. */
  link(): string;
  /**
   * Fulfils when the page is closed, with an exit code: the code of the bridge (see `BridgeEnd`), or 0 after `interrupt`, `close` or `abort` without a
   * bridge. Rejects if a side of the bridge cannot be opened, as `runBridge` does.
   */
  readonly closed: Promise<number>;
}

/** A source of sessions that are shown. Only a bridge runs: everything else is shown until it is stopped. */
interface Inspected {
  readonly sessions: InspectedSessions;
  run?(): Promise<RunningBridge>;
  close(): Promise<void> | void;
}

type Stop = 'interrupt' | 'close' | 'abort';

/**
 * Serves a page that shows a session frame by frame, and sends what its visitors write. The page is served only on 127.0.0.1, and needs a ticket
 * (`link`). Fulfils when the page is served; the sides of a bridge are opened after that.
 *
 * @throws AgentNotFoundError if a program of a bridge does not exist
 * @throws SessionError if the server cannot be reached, or refuses
 * @throws Error for a file that cannot be read or holds no messages, and the error of the system if the port is taken
 */
export async function inspect(options: InspectOptions): Promise<RunningInspector> {
  const inspected = await openInspected(options);
  const server = await serveInspector(inspected.sessions, options.port ?? DEFAULT_INSPECTOR_PORT).catch(
    async (error: unknown) => {
      await inspected.close();
      throw error;
    },
  );
  const forget = options.open === true ? openBrowser(server.link(), options.onNoBrowser ?? (() => {})) : () => {};
  let stopped: Stop | undefined;
  let stop = (by: Stop): void => {
    stopped = by;
  };
  const run = async (): Promise<number> => {
    if (inspected.run === undefined) {
      await new Promise<void>((resolve) => (stop = () => resolve()));
      return 0;
    }
    const bridge = await inspected.run();
    stop = (by) => bridge[by]();
    // A stop was requested while the sides were opened.
    if (stopped !== undefined) stop(stopped);
    return bridge.closed;
  };
  const runToEnd = async (): Promise<number> => {
    try {
      return await run();
    } finally {
      forget();
      await server.close();
      await inspected.close();
    }
  };
  const closed = runToEnd();
  return {
    url: server.url,
    link: () => server.link(),
    closed,
    interrupt: () => stop('interrupt'),
    close: () => stop('close'),
    abort: () => stop('abort'),
  };
}

async function openInspected({ what, name = 'sjp inspect', ...options }: InspectOptions): Promise<Inspected> {
  if ('file' in what) return inspectFile(what.file, name);
  return 'address' in what ? inspectServer(what, options.token) : inspectBridge(what, options);
}
