import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of document S3: adapters with streaming output. */
export const s3: readonly Row[] = [
  ...section('S3 adapters with streaming output', {
    'S3-01 adapter/output-format-declared':
      '[host] a backend declares an output format: text (default) or stream-json; others may be added (today: Copilot JSONL, Pi JSON, ACP).',
    'S3-02 adapter/raw-text-works': '[host] backends without streaming keep working as raw text.',
    'S3-03 adapter/claude-stream-flag': '[host] the claude backend adds `--output-format stream-json`.',
    'S3-04 adapter/line-to-events':
      '[host] an OutputParser turns one line into zero or more events (an assistant line has several blocks); `null` = not of this format.',
    'S3-05 adapter/text-tags': '[host] text parser keeps the existing tag-based behaviour.',
    'S3-06 adapter/object-a-line': '[host] JSON parser is line buffered: one JSON object per line across reads.',
    'S3-07 adapter/malformed-skipped': '[host] malformed lines are skipped, not fatal.',
    'S3-08 adapter/callbacks':
      '[host] handler callbacks: onText, onToolCall(name, args), onToolResult(id, output), onError, onComplete(result).',
    'S3-09 adapter/system-starts-session':
      '[host] `system` → session start (log or ignore) [today: 29 system subtypes; only `init` starts a session].',
    'S3-10 adapter/assistant-blocks': '[host] `assistant` → text and tool_use blocks; tool names come from the blocks.',
    'S3-11 adapter/user-tool-results': '[host] `user` → tool results.',
    'S3-12 adapter/result-statistics':
      '[host] `result` → final statistics (duration, cost, turns, is_error); usage is accumulated when verbose.',
    'S3-13 adapter/parsing-apart-from-running':
      '[host] parsing is separate from execution (PTY or pipe executor feeds the parser).',
  }),
  ...section('S3 adapters with streaming output / Edges and joints', {
    'S3-14 adapter/invocation-pure':
      '[adapters] a backend declares command, args, prompt mode (argument / stdin / none), prompt flag, output format; building the invocation is pure (argv, env, stdin text).',
    'S3-15 adapter/event-tags-in-text':
      '[adapters] text parser: ANSI escapes removed; `<event topic="T" target="U">payload</event>` (target optional, several per output, payload trimmed, over several lines) gives an event; without topic or end tag it is text; the text around it is text.',
    'S3-16 adapter/streaming-by-declaration':
      '[adapters] text → streaming is a change of the declaration alone: one backend declared both ways runs through the same executor.',
    'S3-17 adapter/terminal-lines':
      '[adapters] JSON lines that went through a PTY (CR LF, escapes, echo) give the same events.',
  }),
];
