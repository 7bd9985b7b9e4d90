import type { WireMessage } from '@proto/core/framing';
import { TurnEnd } from '../actions.ts';
import { exampleOf } from '../json-schema/example.ts';
import { validate } from '../json-schema/validate.ts';
import type { Tool } from '../tools/tool.ts';
import { streamReply } from './stream-reply.ts';
import type { TurnContext } from './turn-context.ts';

/** Returns the tool that receives the structured output of a turn; undefined if no schema is set. */
export function structuredOutput(context: TurnContext): Tool | undefined {
  const schema = schemaFor(context);
  if (schema === undefined) return undefined;
  return {
    name: 'StructuredOutput',
    effect: 'nothing',
    run(input) {
      const problems = validate(input, schema);
      if (problems.length > 0) throw new Error(`Output does not match required schema: ${problems.join(', ')}`);
      context.structured = { value: input };
      return { content: 'The output has the required form.' };
    },
  };
}

// Real agents make the same number of attempts.
const MAX_ATTEMPTS = 5;

/** Produces the structured output, if a schema is set: the value of a command, or an example for the schema. */
export async function* giveStructuredOutput(context: TurnContext): AsyncGenerator<WireMessage, object, undefined> {
  const schema = schemaFor(context);
  if (schema === undefined || context.isOver) return {};
  const input = context.requestedOutput === undefined ? exampleOf(schema) : context.requestedOutput.value;
  let problem = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !context.isOver; attempt++) {
    problem = yield* streamReply(
      [{ kind: 'call', tool: 'StructuredOutput', input: input as Record<string, unknown> }],
      context,
    );
    if (context.structured === undefined) continue;
    const { value } = context.structured;
    return { result: JSON.stringify(value), structured_output: value, stop_reason: 'tool_use' };
  }
  if (context.isOver) return {};
  throw new TurnEnd({
    subtype: 'error_max_structured_output_retries',
    is_error: true,
    terminal_reason: 'structured_output_retry_exhausted',
    errors: [`Failed to provide valid structured output after ${MAX_ATTEMPTS} attempts: ${problem}`],
  });
}

function schemaFor({ turn, session }: TurnContext): Readonly<Record<string, unknown>> | undefined {
  return turn.initialize.jsonSchema ?? session.options.jsonSchema;
}
