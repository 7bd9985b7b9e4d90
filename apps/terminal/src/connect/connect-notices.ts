import type { Writable } from 'node:stream';
import type { IncomingLink } from '@proto/core/transport';
import { errorLine, type ErrorReport } from '../process/error-line.ts';
import { plain } from '../view/terminal-text.ts';
import type { ConnectOptions } from './connect-plan.ts';

/** Tells on stderr what happens while a session is followed. */
export interface ConnectNotices {
  readonly session: (id: string) => void;
  readonly link: (link: IncomingLink) => void;
  readonly error: (report: ErrorReport) => void;
}

/** Creates notices: lines for people with the format `text`, else lines of JSON. */
export function createConnectNotices(
  stderr: Writable,
  { format, name }: Pick<ConnectOptions, 'format' | 'name'>,
): ConnectNotices {
  const tell = (json: string, text: string) =>
    void stderr.write(format === 'text' ? `${name}: ${plain(text)}\n` : json);
  return {
    session: (id) => tell(`${JSON.stringify({ session: id })}\n`, `session ${id}`),
    link({ state, attempt, cause, resumed }) {
      const why = cause === undefined ? '' : ` (${cause.message})`;
      const missing = resumed === false ? '; messages may be missing' : '';
      const text = state === 'up' ? `the link is up again${missing}` : `the link is down${why}; trying again`;
      tell(`${JSON.stringify({ link: { state, attempt, resumed, cause: cause?.code } })}\n`, text);
    },
    error: (report) => tell(errorLine(report), report.message),
  };
}
