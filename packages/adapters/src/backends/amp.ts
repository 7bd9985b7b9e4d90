import { defineBackend } from '../backend.ts';
import { createClaudeParser } from '../claude-parser.ts';

/** Amp: Claude's lines, all blocks of a reply in one of them. It leaves with 0 whatever happened. */
export const amp = defineBackend({
  name: 'amp',
  command: 'amp',
  outputFormat: 'amp-stream-json',
  args: ({ autoApprove }) => ['-x', '--stream-json', ...(autoApprove ? ['--dangerously-allow-all'] : [])],
  // A cancelled run is told by its error text alone.
  createParser: () => createClaudeParser({ usagePerMessage: true, isCancel: (error) => /\bcancel/i.test(error) }),
});
