import { createClaudeParser } from '../parsers/claude-parser.ts';
import { defineBackend } from './backend.ts';

export const claude = defineBackend({
  name: 'claude',
  command: 'claude',
  outputFormat: 'stream-json',
  args: ({ model, resume, partial, autoApprove }) => [
    '-p',
    '--output-format',
    'stream-json',
    // Claude Code requires this flag for `stream-json` output.
    '--verbose',
    ...(partial ? ['--include-partial-messages'] : []),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(autoApprove ? ['--dangerously-skip-permissions'] : []),
  ],
  createParser: () => createClaudeParser(),
});

const RUN = '(?:operation|request|execution|generation|run|task|thread|turn|agent|prompt|response|session)';
const STOPPED = '(?:cancell?ed|aborted|interrupted)';
// What may follow the verb if the text reports that the run was stopped: the end of the text, punctuation, a preposition that begins a cause or a
// time, or a noun for the run.
const REST = String.raw`(?=\s*$|\s*[^\w\s]|\s+(?:by|via|with|while|during|before|after|due|because|since|on|at|in|from|and)\b|\s+(?:the |this |its )?${RUN}\b)`;
// Matches only the beginning of the text, because versions differ in what follows. The subject must be the run or the user, because an error may also
// mention something else that was cancelled.
const CANCELLED = new RegExp(
  String.raw`^(?:\w*error: )*(?:(?:the |this |your )?(?:${RUN}|user)(?: was| has been| has| is)? )?${STOPPED}${REST}`,
  'i',
);

/** The backend for Amp, which writes lines in Claude's format, with all blocks of a reply in one line. Amp always exits with 0. */
export const amp = defineBackend({
  name: 'amp',
  command: 'amp',
  outputFormat: 'amp-stream-json',
  args: ({ autoApprove }) => ['-x', '--stream-json', ...(autoApprove ? ['--dangerously-allow-all'] : [])],
  // Only the error text shows that a run was cancelled.
  createParser: () => createClaudeParser({ usagePerMessage: true, isCancel: (error) => CANCELLED.test(error.trim()) }),
});

/** The backend for Qwen Code, which writes lines in Claude's format, but with different meanings of ids and token counts. */
export const qwen = defineBackend({
  name: 'qwen',
  command: 'qwen',
  outputFormat: 'qwen-stream-json',
  // When the limit of turns is reached, the program exits without a `result`.
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
