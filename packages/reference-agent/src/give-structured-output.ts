import type { WireMessage } from '@proto/core';
import { exampleOf } from './json-schema/example.ts';
import { reply } from './reply.ts';
import type { Thread } from './thread.ts';
import { TurnEnd } from './turn-end.ts';

// As often as real agents try.
const MAX_ATTEMPTS = 5;

/** Gives the value the host wants of each turn, where it wants one: what a command said, or an example of the form. */
export async function* giveStructuredOutput(thread: Thread): AsyncGenerator<WireMessage, object, undefined> {
  const schema = schemaFor(thread);
  if (schema === undefined || thread.isOver) return {};
  const input = thread.wanted === undefined ? exampleOf(schema) : thread.wanted.value;
  let told = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !thread.isOver; attempt++) {
    told = yield* reply([{ kind: 'call', tool: 'StructuredOutput', input: input as Record<string, unknown> }], thread);
    if (thread.structured === undefined) continue;
    const { value } = thread.structured;
    return { result: JSON.stringify(value), structured_output: value, stop_reason: 'tool_use' };
  }
  if (thread.isOver) return {};
  throw new TurnEnd({
    subtype: 'error_max_structured_output_retries',
    is_error: true,
    terminal_reason: 'structured_output_retry_exhausted',
    errors: [`Failed to provide valid structured output after ${MAX_ATTEMPTS} attempts: ${told}`],
  });
}

/** The form of the value each turn gives: the host's, else the command line's. */
export function schemaFor({ turn, session }: Thread): Readonly<Record<string, unknown>> | undefined {
  return turn.initialize.jsonSchema ?? session.options.jsonSchema;
}
