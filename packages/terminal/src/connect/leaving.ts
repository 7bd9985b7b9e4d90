import type { Transport } from '@proto/core/transport';
import { EXIT } from '../run/exit-code.ts';
import type { ConnectError } from './connect-error.ts';
import type { ConnectNotices } from './connect-notices.ts';

/** How a client leaves its session, and with which exit code: the first that was given. */
export interface Leaving {
  readonly exitCode: number;
  /** Something went wrong, which is told. The session is not left for that alone. */
  fail(error: ConnectError): void;
  /** Leaves behind what the client has said. */
  leave(exitCode?: number): void;
  /** Leaves now. */
  abort(): void;
}

// For what was said and the server has not taken yet.
const LEAVE_MS = 5000;

/** `viewer` is asked for when it is left: it may not be there yet. */
export function createLeaving(viewer: () => Transport, { error: tell }: Pick<ConnectNotices, 'error'>): Leaving {
  let exitCode: number = EXIT.ok;
  return {
    get exitCode() {
      return exitCode;
    },
    fail(error) {
      exitCode ||= error.exitCode;
      tell(error.report);
    },
    leave(code = EXIT.ok) {
      exitCode ||= code;
      void viewer().close();
      setTimeout(() => viewer().abort(), LEAVE_MS).unref();
    },
    abort: () => viewer().abort(),
  };
}
