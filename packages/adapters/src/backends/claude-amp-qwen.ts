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

const RUN = '(?:operation|request|execution|generation|run|task|thread|turn|agent|prompt|response|session)';
const STOPPED = '(?:cancell?ed|aborted|interrupted)';
// What a sentence may go on with where it still speaks of the run: its end, another sentence or remark, who or what stopped the run, or the run.
const REST = String.raw`(?=\s*$|\s*[^\w\s]|\s+(?:by|via|with|while|during|before|after|due|because|since|on|at|in|from|and)\b|\s+(?:the |this |its )?${RUN}\b)`;
// The beginning of the text, because versions differ in what follows. An error may well speak of something else that was cancelled, so that the
// subject must be the run or the user.
const CANCELLED = new RegExp(
  String.raw`^(?:\w*error: )*(?:(?:the |this |your )?(?:${RUN}|user)(?: was| has been| has| is)? )?${STOPPED}${REST}`,
  'i',
);

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
