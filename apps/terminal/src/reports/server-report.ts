import type { AgentEvent } from '@proto/remote/worker';
import type { Log, LogLevel } from '../process/log.ts';
import { plain } from '../view/terminal-text.ts';

/** What happens while a server runs. */
export type ServerEvent =
  | {
      readonly type: 'listening';
      readonly base: string;
      /** The token of the server. Null if clients need no token, or if the accounts come from a file with their tokens. */
      readonly token: string | null;
      readonly tokenFile: string | null;
      readonly store: string;
      /** Whether the server starts an agent for each session. If not, prompts wait for a worker in another process. */
      readonly startsAgents: boolean;
      /** The address of the page, with a ticket that can be used once within 60 s; absent if the token of the server is not known. */
      readonly page?: string;
    }
  | AgentEvent
  | { readonly type: 'agent_stderr'; readonly session: string; readonly text: string }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'accounts_restored'; readonly file: string }
  | { readonly type: 'draining'; readonly signal: string }
  | { readonly type: 'result'; readonly ok: boolean };

/** Writes an event of a server. */
export type ServerReport = (event: ServerEvent) => void;

/**
 * Returns a function that writes events of a server to a log. The log contains the name of the token file, but never the token. Errors begin with
 * `name`.
 */
export function reportServer(log: Log, name: string): ServerReport {
  return (event) => {
    const text = textOf(event, name).replace(/\n$/, '');
    if (text !== '') log.write({ level: levelOf(event), event: event.type, text, fields: fieldsOf(event) });
  };
}

function fieldsOf(event: ServerEvent): Readonly<Record<string, unknown>> {
  const { type: _, ...fields } = event;
  // A line that is not a message may be a damaged message, so its text does not become a field.
  if (event.type === 'agent_noise') return { session: event.session, length: event.text.length };
  return { ...fields, token: undefined, page: undefined };
}

function levelOf(event: ServerEvent): LogLevel {
  if (event.type === 'error') return 'error';
  const isFailure = event.type === 'agent_exited' && (event.error !== undefined || event.code !== 0);
  return isFailure || event.type === 'agent_noise' ? 'warn' : 'info';
}

function noAgents(base: string): string {
  return [
    'agents     none: prompts wait until a worker attaches, for example with',
    `           sjp bridge sse+${base}/v1/code/sessions/ID/worker -- AGENT`,
    '           sjp serve -- AGENT starts an agent for each session',
  ].join('\n');
}

function textOf(event: ServerEvent, name: string): string {
  switch (event.type) {
    case 'listening': {
      const token =
        event.tokenFile === null
          ? 'not needed: every program that reaches the server may do everything'
          : event.tokenFile;
      return [
        `listening  ${event.base}`,
        `token      ${token}`,
        `sessions   ${event.store}`,
        ...(event.page === undefined ? [] : [`page       ${event.page}`]),
        ...(event.startsAgents ? [] : [noAgents(event.base)]),
        `connect    sjp connect ${event.base} --session new --format text\n`,
      ].join('\n');
    }
    case 'agent_started':
      return `${event.session}: the agent is process ${event.pid}\n`;
    case 'agent_exited': {
      if (event.error !== undefined) return `${event.session}: ${plain(event.error)}\n`;
      const how = event.signal === null ? `exited with code ${event.code}` : `was terminated by ${event.signal}`;
      return `${event.session}: the agent ${how}${event.restarting ? ', and is being restarted' : ''}\n`;
    }
    case 'agent_stderr':
      return event.text.replaceAll(/[^\n]+/g, (line) => `${event.session}: ${plain(line)}`);
    case 'agent_noise':
      return `${event.session}: the agent wrote a line that is not a message: ${plain(event.text)}\n`;
    case 'error':
      return `${name}: ${plain(event.message)}\n`;
    case 'accounts_restored':
      return `${name}: ${plain(event.file)} is valid again: the server uses its accounts\n`;
    case 'draining':
      return `${event.signal}: shutting down (a second signal stops the agents at once)\n`;
    case 'result':
      return '';
  }
}
