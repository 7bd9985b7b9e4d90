import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import type { BridgeEvent } from '@proto/remote/bridge';
import { errorLine, type ErrorReport, plain } from '@proto/terminal/process';

/** What the command reports: events of the bridge, and why it could not start. */
type Reported = BridgeEvent | ({ readonly type: 'error'; readonly retryable: boolean; readonly text?: string } & ErrorReport);

/** Writes an event. */
export type BridgeReport = (event: Reported) => void;

/** Writes events to stderr: for people, or for programs. The stderr of a child passes unchanged. */
export function reportOnStderr(stderr: Writable, forPrograms: boolean): BridgeReport {
  return (event) => void stderr.write(forPrograms ? jsonOf(event) : textOf(event));
}

function jsonOf(event: Reported): string {
  if (event.type === 'error') return errorLine(event);
  if (event.type === 'warning') return encodeLine({ warning: { message: plain(event.message) } });
  return event.type === 'agent_stderr' ? event.text : '';
}

function textOf(event: Reported): string {
  const session = 'session' in event ? event.session : undefined;
  const who = session === undefined ? 'sjp bridge' : `sjp bridge, client ${session}`;
  switch (event.type) {
    case 'listening':
      return `listening  ${event.url}\ntoken      ${event.tokenFile ?? 'not needed'}\n`;
    case 'session_started':
      return `${who}: connected\n`;
    case 'session_ended':
      return `${who}: ended with code ${event.code}\n`;
    case 'agent_stderr':
      return session === undefined
        ? event.text
        : event.text.replaceAll(/[^\n]+/g, (line) => `${session}: ${plain(line)}`);
    case 'warning':
      return `${who}: ${plain(event.message)}\n`;
    case 'error':
      return `${who}: ${plain(('text' in event ? event.text : undefined) ?? event.message)}\n`;
    case 'result':
      return '';
  }
}
