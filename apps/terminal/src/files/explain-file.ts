import { pipeline } from 'node:stream/promises';
import {
  describeFrame,
  type FrameFilter,
  FrameFilterError,
  parseFrameFilter,
  readEntries,
  type ReadEntriesOptions,
  Timeline,
} from '@proto/recording/timeline';
import { createDriftReport } from '@proto/core/drift';
import { EXIT } from '../process/exit-code.ts';
import { fileReason } from '../process/file-reason.ts';
import { type ColorMode, createPaint } from '../view/terminal-text.ts';
import {
  type ExplainedFrame,
  explanationAsJson,
  explanationAsText,
  type ExplanationWriter,
} from './explanation-writer.ts';
import { type FollowOptions, openFile } from './open-file.ts';
import type { FileNote } from './file-note.ts';
import { olderAgentNote, RepeatedFindings } from './older-agent.ts';
import { peekFile, refusalOf } from './peek-file.ts';
import { ReadProgress, sizeOf } from './read-progress.ts';
import type { FileStreams } from './validate-file.ts';

/** How a session is explained. */
export interface ExplainOptions extends Pick<FollowOptions, 'follow' | 'signal'> {
  /** The name of the program in texts for users, such as `sjp explain`. */
  readonly name: string;
  /** The side that sent the lines. In a recording, only the lines of that side are shown. `auto` shows the lines of both sides. */
  readonly direction: NonNullable<ReadEntriesOptions['direction']>;
  /** Shows only the frames that pass this filter, such as `type:control_request status:error`. Default: all frames. */
  readonly only?: string;
  /** Whether to write NDJSON, one object for each frame. Default false: human-readable lines are written. */
  readonly json?: boolean;
  /** When human-readable lines are coloured. Default `auto`. */
  readonly color?: ColorMode;
  /** The maximum number of columns of a human-readable line. Default: the columns of the terminal, or 160. */
  readonly width?: number;
}

/** The streams and variables of a process. */
export interface ExplainProcess extends FileStreams {
  /** The stream to which the explanation is written. For a terminal, `isTTY` is true, and human-readable lines have at most `columns` columns. */
  readonly stdout: FileStreams['stdout'] & { readonly columns?: number; readonly isTTY?: boolean };
  /** The environment variables, such as `NO_COLOR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const DEFAULT_COLUMNS = 160;

/**
 * Writes one line for each frame of a session to stdout: the sender, the content, the frame that it answers, and the delay. For a file without
 * messages, such as a compressed file, the only line describes the file and what to do. Fulfils with the exit code: 2 for a file without messages,
 * for a file that cannot be read, and for a malformed filter.
 */
export async function explainFile(file: string, options: ExplainOptions, process: ExplainProcess): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const fail = (why: string) => {
    stderr.write(`${options.name}: ${why}\n`);
    return EXIT.usage;
  };
  let filter: FrameFilter;
  try {
    filter = parseFrameFilter(options.only ?? '');
  } catch (error) {
    if (error instanceof FrameFilterError)
      return fail(`--only is not valid after ${error.position} characters: ${error.message}`);
    throw error;
  }
  try {
    const input = await openFile(file, stdin, options);
    // A followed file has no end.
    const totalBytes = options.follow === true ? undefined : await sizeOf(file);
    const progress = new ReadProgress({ name: options.name, stderr, totalBytes });
    const peeked = await peekFile(options.follow === true ? input : progress.count(input));
    const writer = writerFor(options, process);
    // A followed file may still be empty.
    const isAwaited = options.follow === true && peeked.kind === 'empty';
    const refusal = isAwaited ? undefined : refusalOf(peeked.kind, file, options.name, 'messages');
    if (refusal !== undefined) {
      await peeked.close();
      stdout.write(writer.note(refusal));
      return EXIT.usage;
    }
    const note = olderAgentNote(peeked.head, file, options.name);
    const output = { writer, progress, note };
    await pipeline(explained(peeked.bytes, filter, output, options), stdout, { end: false });
    return EXIT.ok;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // The reader of stdout has closed it.
    return code === 'EPIPE' ? EXIT.ok : fail(`cannot read ${file}: ${fileReason(error)}`);
  }
}

function writerFor(
  { json = false, color = 'auto', width }: ExplainOptions,
  { stdout, env }: ExplainProcess,
): ExplanationWriter {
  if (json) return explanationAsJson();
  const columns = width ?? (stdout.columns || DEFAULT_COLUMNS);
  return explanationAsText({ columns, paint: createPaint(color, env, stdout) });
}

interface Output {
  readonly writer: ExplanationWriter;
  readonly progress: ReadProgress;
  readonly note: FileNote | undefined;
}

async function* explained(
  input: AsyncIterable<Uint8Array>,
  filter: FrameFilter,
  { writer, progress, note }: Output,
  { direction }: Pick<ExplainOptions, 'direction'>,
): AsyncGenerator<string, void, undefined> {
  // Each message of an older agent lacks the same members.
  const repeated = note === undefined ? undefined : new RepeatedFindings();
  if (note !== undefined) yield writer.note(note);
  const timeline = new Timeline();
  const report = createDriftReport({ direction: 'auto' });
  let shown = 0;
  for await (const { entry, number, ...place } of readEntries(input, { direction, maxLineBytes: MAX_LINE_BYTES })) {
    const { message, ...frame } = timeline.push(entry, place);
    const found = 'line' in entry ? report.read(entry.line, number, entry.dir) : [];
    const findings = repeated === undefined ? found : found.filter((finding) => repeated.add(finding));
    const text = describeFrame({ entry, message });
    const explanation: ExplainedFrame = { frame, number, text, findings };
    const isOfOtherSide = direction !== 'auto' && frame.dir !== undefined && frame.dir !== direction;
    if (isOfOtherSide || !filter(timeline, frame, () => ('line' in entry ? entry.line : text))) continue;
    shown++;
    progress.clear();
    yield writer.frame(timeline, explanation);
  }
  yield writer.end(timeline, { shown, drift: report.drift });
}
