import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import { errorLine, type ErrorReport, plain } from '@proto/terminal/process';

/** What happens while a bridge runs. `session` is the number of a client of a listener. */
export type BridgeEvent = { readonly session?: number } & (
  | { readonly type: 'listening'; readonly url: string; readonly tokenFile: string | null }
  | { readonly type: 'session_started' }
  | { readonly type: 'session_ended'; readonly code: number }
  | { readonly type: 'agent_stderr'; readonly text: string }
  | { readonly type: 'warning'; readonly message: string }
  | ({
      readonly type: 'error';
      readonly retryable: boolean;
      /** The text for people, where it differs from the message. */
      readonly text?: string;
    } & ErrorReport)
  | { readonly type: 'result'; readonly code: number }
);

/** Writes an event. */
export type BridgeReport = (event: BridgeEvent) => void;

/** Writes each event as a line of JSON, for `--json` where stdout does not carry the protocol. */
export function reportAsJson(stdout: Writable): BridgeReport {
  return (event) => void stdout.write(encodeLine(event.type === 'listening' ? { ...event, eventVersion: 1 } : event));
}

/** Writes events to stderr: for people, or for programs. The stderr of a child passes unchanged. */
export function reportOnStderr(stderr: Writable, forPrograms: boolean): BridgeReport {
  return (event) => void stderr.write(forPrograms ? jsonOf(event) : textOf(event));
}

function jsonOf(event: BridgeEvent): string {
  if (event.type === 'error') return errorLine(event);
  if (event.type === 'warning') return encodeLine({ warning: { message: event.message } });
  return event.type === 'agent_stderr' ? event.text : '';
}

function textOf(event: BridgeEvent): string {
  const { session } = event;
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
      return `${who}: ${plain(event.text ?? event.message)}\n`;
    case 'result':
      return '';
  }
}
