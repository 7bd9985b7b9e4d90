import { createClaudeParser } from '../parsers/claude-parser.ts';
import { defineBackend } from './backend.ts';

/** Claude Code. */
export const claude = defineBackend({
  name: 'claude',
  command: 'claude',
  outputFormat: 'stream-json',
  args: ({ model, resume, partial, autoApprove }) => [
    '-p',
    '--output-format',
    'stream-json',
    // Refused without.
    '--verbose',
    ...(partial ? ['--include-partial-messages'] : []),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(autoApprove ? ['--dangerously-skip-permissions'] : []),
  ],
  createParser: () => createClaudeParser(),
});

// The whole text: an error may well speak of something else that was cancelled.
const CANCELLED =
  /^(?:error: )?(?:(?:the |this )?(?:operation|request|execution|generation|run|task|thread|turn|agent|user)(?: was| has been)? )?cancell?ed(?: by (?:the )?user)?[.!]?$/i;

/** Amp: Claude's lines, all blocks of a reply in one of them. It leaves with 0 whatever happened. */
export const amp = defineBackend({
  name: 'amp',
  command: 'amp',
  outputFormat: 'amp-stream-json',
  args: ({ autoApprove }) => ['-x', '--stream-json', ...(autoApprove ? ['--dangerously-allow-all'] : [])],
  // Only the error text identifies a cancelled run.
  createParser: () => createClaudeParser({ usagePerMessage: true, isCancel: (error) => CANCELLED.test(error.trim()) }),
});

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
