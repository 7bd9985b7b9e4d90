import { schemaFor } from '../give-structured-output.ts';
import { validate } from '../json-schema/validate.ts';
import type { Thread } from '../thread.ts';
import type { Tool } from './tool.ts';

/** Takes the value a host wants of each turn, where there is a form for it. */
export function structuredOutput(thread: Thread): Tool | undefined {
  const schema = schemaFor(thread);
  if (schema === undefined) return undefined;
  return {
    name: 'StructuredOutput',
    effect: 'nothing',
    run(input) {
      const problems = validate(input, schema);
      if (problems.length > 0) throw new Error(`Output does not match required schema: ${problems.join(', ')}`);
      thread.structured = { value: input };
      return { content: 'The output has the required form.' };
    },
  };
}
