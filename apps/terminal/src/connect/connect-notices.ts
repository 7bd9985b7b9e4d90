import type { Writable } from 'node:stream';
import type { IncomingLink } from '@proto/core/transport';
import { errorLine, type ErrorReport } from '../process/error-line.ts';
import { plain } from '../view/terminal-text.ts';
import type { ConnectOptions } from './connect-plan.ts';

/** Reports to stderr what happens while a session is followed. */
export interface ConnectNotices {
  readonly session: (id: string) => void;
  readonly link: (link: IncomingLink) => void;
  readonly error: (report: ErrorReport) => void;
}

/** Creates notices: human-readable lines or lines of JSON, depending on `reports`. */
export function createConnectNotices(
  stderr: Writable & { readonly isTTY?: boolean },
  { format, name, reports }: Pick<ConnectOptions, 'format' | 'name' | 'reports'>,
): ConnectNotices {
  const isText = reports === undefined ? format === 'text' || stderr.isTTY === true : reports === 'text';
  const write = (json: string, text: string) => void stderr.write(isText ? `${name}: ${plain(text)}\n` : json);
  return {
    session: (id) => write(`${JSON.stringify({ session: id })}\n`, `session ${id}`),
    link({ state, attempt, cause, resumed }) {
      const why = cause === undefined ? '' : ` (${cause.message})`;
      const missing = resumed === false ? '; messages may be missing' : '';
      const text =
        state === 'up' ? `the connection is up again${missing}` : `the connection is down${why}; trying again`;
      write(`${JSON.stringify({ link: { state, attempt, resumed, cause: cause?.code } })}\n`, text);
    },
    error: (report) => write(errorLine(report), report.message),
  };
}
