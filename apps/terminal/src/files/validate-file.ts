import { open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkLines, type CheckLinesOptions, type LineCheck } from '@proto/recording/check';
import { errorLine } from '../process/error-line.ts';
import { EXIT } from '../process/exit-code.ts';
import { fileReason } from '../process/file-reason.ts';
import { type FileNote, fileNoteOf } from './file-note.ts';
import { findingsAsJson, findingsAsText, type FindingWriter } from './finding-writer.ts';
import { olderAgentNote, RepeatedFindings } from './older-agent.ts';
import { isReadable, type PeekedFile, peekFile, refusalOf } from './peek-file.ts';
import { ReadProgress, sizeOf } from './read-progress.ts';

/** How to check a file of lines, and how to write the findings. */
export interface ValidateOptions {
  /** The name of the program in texts for users, such as `sjp validate`. */
  readonly name: string;
  /** Which side wrote the lines. In a recording, only the lines of that side are checked. */
  readonly direction: CheckLinesOptions['direction'];
  /** Whether an invalid optional member makes its line invalid. Default false. */
  readonly strict?: boolean;
  /** Whether to write how often each message was seen. Default false. */
  readonly stats?: boolean;
  /** Whether to write NDJSON, whose last line is the result. Default false: human-readable lines are written. */
  readonly json?: boolean;
}

/** The streams of a process. */
export interface FileStreams {
  /** The content of the file `-`. */
  readonly stdin: Readable;
  /** The stream to which the result is written. */
  readonly stdout: Writable;
  /** The stream to which errors are written, and the progress if it is a terminal (`isTTY`). */
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/**
 * Checks the lines of a file, and writes the findings to stdout. For a file without messages, such as a compressed file, the first line describes the
 * file and what to do. Fulfils with the exit code: 6 for an invalid line and for a file without messages, 2 for a file that cannot be read.
 */
export async function validateFile(
  file: string,
  { name, direction, strict = false, stats = false, json = false }: ValidateOptions,
  { stdin, stdout, stderr }: FileStreams,
): Promise<number> {
  const writer = (json ? findingsAsJson : findingsAsText)({ stats });
  const options = { direction, mode: strict ? 'strict' : 'lenient', maxLineBytes: MAX_LINE_BYTES } as const;
  try {
    // A stream that opens the file itself would fail before it has a reader, and the error would be lost.
    const input: AsyncIterable<Uint8Array> = file === '-' ? stdin : (await open(file)).createReadStream();
    const progress = new ReadProgress({ name, stderr, totalBytes: await sizeOf(file) });
    const peeked = await peekFile(progress.count(input));
    const refusal = refusalOf(peeked.kind, file, name, 'messages');
    if (refusal !== undefined) await peeked.close();
    const check = checkLines(refusal === undefined ? peeked.bytes : nothing(), options);
    const note = refusal ?? noteOn(peeked, file, name);
    await pipeline(written(check, { writer, progress, note }), stdout, { end: false });
    return refusal === undefined && check.report.valid === check.report.lines ? EXIT.ok : EXIT.invalid;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // The reader of stdout has closed it.
    if (code === 'EPIPE') return EXIT.ok;
    const message = `cannot read ${file}: ${fileReason(error)}`;
    stderr.write(json ? errorLine({ code: 'usage', message }) : `${name}: ${message}\n`);
    return EXIT.usage;
  }
}

function noteOn({ kind, head }: PeekedFile, file: string, name: string): FileNote | undefined {
  return kind === 'result' ? fileNoteOf('result', file, name) : olderAgentNote(head, file, name);
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

interface Output {
  readonly writer: FindingWriter;
  readonly progress: ReadProgress;
  readonly note: FileNote | undefined;
}

async function* written({ findings, report }: LineCheck, { writer, progress, note }: Output): AsyncGenerator<string> {
  const repeated = note?.kind === 'older-agent' ? new RepeatedFindings() : undefined;
  if (note !== undefined) {
    progress.clear();
    yield writer.note(note);
  }
  for await (const finding of findings) {
    repeated?.add(finding);
    if (repeated !== undefined) continue;
    progress.clear();
    yield writer.finding(finding);
  }
  for (const finding of repeated?.all ?? []) yield writer.finding(finding);
  yield writer.end(report, note === undefined || isReadable(note));
}
