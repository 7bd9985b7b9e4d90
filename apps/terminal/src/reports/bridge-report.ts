import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import type { BridgeEvent } from '@proto/remote/bridge';
import { errorLine, type ErrorReport } from '../process/error-line.ts';
import { plain } from '../view/terminal-text.ts';

type Reported =
  | BridgeEvent
  | ({ readonly type: 'error'; readonly retryable: boolean; readonly text?: string } & ErrorReport);

/** Writes an event of a bridge. */
export type BridgeReport = (event: Reported) => void;

/**
 * Returns a function that writes events of `runBridge` of `@proto/remote/bridge` to stderr, as human-readable lines that begin with `name`. With
 * `json`, only errors and warnings are written, as lines of JSON. The stderr of a child is passed on unchanged. If the bridge has several clients,
 * each human-readable line of that stderr begins with the number of the client. Use the function as `onEvent`.
 */
export function reportBridge(
  stderr: Writable,
  { name, json = false }: { readonly name: string; readonly json?: boolean | undefined },
): BridgeReport {
  return (event) => void stderr.write(json ? jsonOf(event) : textOf(event, name));
}

function jsonOf(event: Reported): string {
  if (event.type === 'error') return errorLine(event);
  if (event.type === 'warning') return encodeLine({ warning: { message: plain(event.message) } });
  return event.type === 'agent_stderr' ? event.text : '';
}

function textOf(event: Reported, name: string): string {
  const session = 'session' in event ? event.session : undefined;
  const who = session === undefined ? name : `${name}, client ${session}`;
  switch (event.type) {
    case 'listening':
      return `listening  ${event.url}\ntoken      ${event.tokenFile ?? 'not needed'}\n`;
    case 'session_started':
      return `${who}: connected\n`;
    case 'session_ended':
      return `${who}: ended with exit code ${event.code}\n`;
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
