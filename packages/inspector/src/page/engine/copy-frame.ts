import type { Direction } from '@proto/recording';
import type { Members } from '@proto/recording/timeline';

/** A message of a frame, and the side that sent it. */
export interface CopiedMessage {
  readonly dir: Direction;
  readonly message: Members;
}

/** Writes messages as a fixture: one line of the wire for each, in order. */
export function fixtureOf(messages: readonly CopiedMessage[]): string {
  return messages.map(({ message }) => `${JSON.stringify(message)}\n`).join('');
}

/**
 * Writes messages as a case of the conformance suite for agents: what the host sends is said, and what the agent sends is expected. Ids differ from
 * run to run, so they are expected as any value.
 */
export function caseOf(messages: readonly CopiedMessage[]): string {
  const names = new Map<unknown, string>();
  const steps = messages.map(({ dir, message }) =>
    dir === 'from-host' ? sayStep(message, names) : expectStep(message, names),
  );
  const title = 'An agent answers as in the session that was recorded.';
  return [`- id: agent/recorded/${slugOf(messages)}`, `  title: ${title}`, '  steps:', ...steps, ''].join('\n');
}

function sayStep(message: Members, names: ReadonlyMap<unknown, string>): string {
  const { type } = message;
  const prompt = type === 'user' ? promptOf(message) : undefined;
  if (prompt !== undefined) return `    - prompt: ${JSON.stringify(prompt)}`;
  if (type === 'control_response') {
    const { request_id: id, response, error } = Object(message['response']) as Record<string, unknown>;
    const name = names.get(id);
    if (name !== undefined) {
      const outcome =
        error === undefined ? `with: ${JSON.stringify(response ?? {})}` : `error: ${JSON.stringify(error)}`;
      return `    - answer: ${name}\n      ${outcome}`;
    }
  }
  if (type === 'control_request') return `    - request: ${JSON.stringify(message['request'])}`;
  return `    - say: ${JSON.stringify(message)}`;
}

function expectStep(message: Members, names: Map<unknown, string>): string {
  const expected = { ...message };
  for (const id of CHANGING) delete expected[id];
  if (message['type'] === 'control_request') {
    const name = `request${names.size + 1}`;
    names.set(message['request_id'], name);
    return `    - expect: ${JSON.stringify(expected)}\n      as: ${name}`;
  }
  const response = Object(message['response']) as Record<string, unknown>;
  if (message['type'] === 'control_response') {
    const { request_id: _, ...rest } = response;
    return `    - expect: ${JSON.stringify({ type: 'control_response', response: rest })}`;
  }
  return `    - expect: ${JSON.stringify(expected)}`;
}

// Members that no two sessions have in common.
const CHANGING = ['uuid', 'session_id', 'request_id', 'duration_ms', 'duration_api_ms', 'total_cost_usd', 'timestamp'];

function promptOf(message: Members): string | undefined {
  const { content } = Object(message['message']) as { readonly content?: unknown };
  return typeof content === 'string' ? content : undefined;
}

function slugOf(messages: readonly CopiedMessage[]): string {
  const { type, subtype } = messages[0]?.message ?? {};
  const { subtype: asked } = Object(messages[0]?.message['request']) as { readonly subtype?: unknown };
  const words = [type, subtype ?? asked].filter((word) => typeof word === 'string');
  return (
    words
      .join('-')
      .replaceAll(/[^a-z0-9]+/gi, '-')
      .toLowerCase() || 'session'
  );
}
