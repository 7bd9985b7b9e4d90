import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import { errorLine, type ErrorReport, plain } from '@proto/terminal/process';

/** What happens while a bridge stands; `session` is one of the clients of a listener, by number. */
export type BridgeEvent = { readonly session?: number } & (
  | { readonly type: 'listening'; readonly url: string; readonly tokenFile: string | null }
  | { readonly type: 'session_started' }
  | { readonly type: 'session_ended'; readonly code: number }
  | { readonly type: 'agent_stderr'; readonly text: string }
  | { readonly type: 'warning'; readonly message: string }
  | ({
      readonly type: 'error';
      readonly retryable: boolean;
      /** For people, where it is not the message. */
      readonly text?: string;
    } & ErrorReport)
  | { readonly type: 'result'; readonly code: number }
);

/** Tells what happens. */
export type BridgeReport = (event: BridgeEvent) => void;

/** Of `--json` where stdout is not the protocol: each event as a line. */
export function reportAsJson(stdout: Writable): BridgeReport {
  return (event) => void stdout.write(encodeLine(event.type === 'listening' ? { ...event, eventVersion: 1 } : event));
}

/** On stderr: for people, or for programs where stdout is the protocol. What a child writes there passes as it is. */
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
      return `listening  ${event.url}\ntoken      ${event.tokenFile ?? 'none is needed'}\n`;
    case 'session_started':
      return `${who}: has come\n`;
    case 'session_ended':
      return `${who}: is done, with code ${event.code}\n`;
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
