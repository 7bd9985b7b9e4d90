import { defineBackend } from '../backend.ts';
import { createClaudeParser } from '../claude-parser.ts';

/** Qwen Code: Claude's lines, with ids and token counts of another meaning. */
export const qwen = defineBackend({
  name: 'qwen',
  command: 'qwen',
  outputFormat: 'qwen-stream-json',
  // Over the limit of turns it leaves without a `result`.
  exitCodes: { 53: 'max_turns', 130: 'aborted' },
  args: ({ model, resume, partial, autoApprove }) => [
    '--output-format',
    'stream-json',
    ...(partial ? ['--include-partial-messages'] : []),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(autoApprove ? ['--yolo'] : []),
  ],
  createParser: () => createClaudeParser({ inputIncludesCache: true }),
});
