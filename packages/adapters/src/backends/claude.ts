import { defineBackend } from '../backend.ts';
import { createClaudeParser } from '../claude-parser.ts';

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
