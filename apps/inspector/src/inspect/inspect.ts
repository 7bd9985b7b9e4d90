import type { RunningBridge } from '@proto/remote/bridge';
import type { InspectedSessions } from '../server/inspected-sessions.ts';
import { DEFAULT_INSPECTOR_PORT, serveInspector } from '../server/inspector-server.ts';
import { type BridgeSettings, inspectBridge, type InspectedBridge } from './inspect-bridge.ts';
import { inspectFile } from './inspect-file.ts';
import { type InspectedServer, inspectServer } from './inspect-server.ts';
import { openBrowser } from './open-browser.ts';

/** What to inspect, where to serve the page, and the settings for programs and links. */
export interface InspectOptions extends BridgeSettings {
  /** A recording (given by its file name), a bridge, or a session server. */
  readonly what: { readonly file: string } | InspectedBridge | InspectedServer;
  /** The port of the page on 127.0.0.1. 0 selects a free port. Default 6374. */
  readonly port?: number | undefined;
  /** The name of the program in advice about a wrong file. Default `sjp inspect`. */
  readonly name?: string | undefined;
  /** Whether to open the page in a browser on this machine. `onNoBrowser` is called if this is not possible. Default false. */
  readonly open?: boolean | undefined;
  readonly onNoBrowser?: ((message: string) => void) | undefined;
}

/** A page that shows a session. */
export interface RunningInspector extends Omit<RunningBridge, 'closed'> {
  /** The address of the page, without a slash at its end. */
  readonly url: string;
  /** Returns the address with a new ticket, which can be used once within 60 s. */
  link(): string;
  /**
   * Fulfils with an exit code when the page is closed. With a bridge, this is the exit code of the bridge (see `BridgeEnd`). Without a bridge, the
   * code is 0 after `interrupt`, `close` or `abort`. Rejects if a side of the bridge cannot be opened, as `runBridge` does.
   */
  readonly closed: Promise<number>;
}

/** A source of sessions to show. Only a bridge can end by itself. Every other source is shown until it is stopped. */
interface Inspected {
  readonly sessions: InspectedSessions;
  run?(): Promise<RunningBridge>;
  close(): Promise<void> | void;
}

type Stop = 'interrupt' | 'close' | 'abort';

/**
 * Serves a page that shows a session frame by frame, and sends what its users write. The page is served only on 127.0.0.1, and needs a ticket
 * (`link`). Fulfils when the page is served. The sides of a bridge are opened after that.
 *
 * @throws AgentNotFoundError if a program of a bridge does not exist
 * @throws SessionError if the server cannot be reached or refuses the request
 * @throws Error for a file that cannot be read or contains no messages, and the system error if the port is in use
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
