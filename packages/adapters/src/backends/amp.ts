import { defineBackend } from '../backend.ts';
import { createClaudeParser } from '../claude-parser.ts';

// The whole text: an error may well speak of something else that was cancelled.
const CANCELLED =
  /^(?:error: )?(?:(?:the |this )?(?:operation|request|execution|generation|run|task|thread|turn|agent|user)(?: was| has been)? )?cancell?ed(?: by (?:the )?user)?[.!]?$/i;

/** Amp: Claude's lines, all blocks of a reply in one of them. It leaves with 0 whatever happened. */
export const amp = defineBackend({
  name: 'amp',
  command: 'amp',
  outputFormat: 'amp-stream-json',
  args: ({ autoApprove }) => ['-x', '--stream-json', ...(autoApprove ? ['--dangerously-allow-all'] : [])],
  // A cancelled run is told by its error text alone.
  createParser: () => createClaudeParser({ usagePerMessage: true, isCancel: (error) => CANCELLED.test(error.trim()) }),
});
