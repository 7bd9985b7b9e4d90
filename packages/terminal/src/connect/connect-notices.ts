import type { Writable } from 'node:stream';
import type { IncomingLink } from '@proto/core/internal';
import { errorLine, type ErrorReport } from '../errors/error-line.ts';
import { plain } from '../view/plain.ts';

/** What is told on stderr while a session is followed. */
export interface ConnectNotices {
  readonly session: (id: string) => void;
  readonly link: (link: IncomingLink) => void;
  readonly error: (report: ErrorReport) => void;
}

/** Notices for programs, each a line of JSON, or for people. */
export function createConnectNotices(stderr: Writable, json: boolean): ConnectNotices {
  const say = (members: object, text: string) =>
    void stderr.write(json ? `${JSON.stringify(members)}\n` : `sjp connect: ${plain(text)}\n`);
  return {
    session: (id) => say({ session: id }, `session ${id}`),
    link({ state, attempt, cause, resumed }) {
      const why = cause === undefined ? '' : ` (${cause.message})`;
      const missing = resumed === false ? '; messages may be missing' : '';
      const text = state === 'up' ? `the link is up again${missing}` : `the link is down${why}; trying again`;
      say({ link: { state, attempt, resumed, cause: cause?.code } }, text);
    },
    error: (report) => void stderr.write(json ? errorLine(report) : `sjp connect: ${plain(report.message)}\n`),
  };
}
