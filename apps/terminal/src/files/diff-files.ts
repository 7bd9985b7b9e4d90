import { pipeline } from 'node:stream/promises';
import { diffRecordings, type RecordingDiff, type RecordingText } from '@proto/recording/diff';
import { EXIT } from '../process/exit-code.ts';
import { fileReason } from '../process/file-reason.ts';
import { type ColorMode, createPaint, plain } from '../view/terminal-text.ts';
import { differencesAsJson, differencesAsText, type DiffWriter } from './diff-writer.ts';
import type { ExplainProcess } from './explain-file.ts';
import { LOOKED_AT_BYTES } from './file-kind.ts';
import { refuseBytes, WrongFileError } from './peek-file.ts';
import { ReadProgress } from './read-progress.ts';
import { openRecording, type RecordingFile } from './recording-file.ts';

/** How two recordings are compared, and how the differences are written. */
export interface DiffFilesOptions {
  /** The name of the program in texts for users, such as `sjp diff`. */
  readonly name: string;
  /** Places that may differ, such as `message.usage.**`. Default: none. */
  readonly ignore?: readonly string[];
  /** Whether to write NDJSON, whose last line is the result. Default false: human-readable lines are written. */
  readonly json?: boolean;
  /** When human-readable lines are coloured. Default `auto`. */
  readonly color?: ColorMode;
  /** The maximum number of columns of a human-readable line. Default: the columns of the terminal, or 160. */
  readonly width?: number;
}

/** How the texts of two recordings are compared. */
export interface DiffTextsOptions extends Omit<DiffFilesOptions, 'name'> {
  /** The maximum number of differences that are written for people. Default: all differences are written. */
  readonly maxShown?: number;
}

// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const DEFAULT_COLUMNS = 160;

/** Writes the differences between two recordings to stdout. Fulfils with the exit code: 6 if there are differences, 2 if a file cannot be read. */
export async function diffFiles(
  expected: string,
  found: string,
  options: DiffFilesOptions,
  process: ExplainProcess,
): Promise<number> {
  const files: RecordingFile[] = [];
  try {
    for (const file of [expected, found]) {
      try {
        const opened = await openRecording(file, process.stdin);
        files.push(opened);
        refuseBytes(await beginningOf(opened), file, options.name, 'messages');
      } catch (error) {
        const why = error instanceof WrongFileError ? error.message : `cannot read ${file}: ${fileReason(error)}`;
        process.stderr.write(`${options.name}: ${plain(why)}\n`);
        return EXIT.usage;
      }
    }
    const [a, b] = files as [RecordingFile, RecordingFile];
    const progress = new ReadProgress({
      name: options.name,
      stderr: process.stderr,
      totalBytes: a.totalBytes + b.totalBytes,
    });
    const counted = (file: RecordingFile) => ({ ...file, bytes: () => progress.count(file.bytes()) });
    return (await diffTexts(counted(a), counted(b), options, process)) ? EXIT.ok : EXIT.invalid;
  } catch (error) {
    // The reader of stdout has closed it. Lines are written only for differences, so the recordings differ.
    if (codeOf(error) === 'EPIPE') return EXIT.invalid;
    process.stderr.write(`${options.name}: cannot compare ${expected} with ${found}: ${fileReason(error)}\n`);
    return EXIT.usage;
  } finally {
    for (const file of files) await file[Symbol.asyncDispose]();
  }
}

/** Writes the differences between the texts of two recordings to stdout. Fulfils with true if the recordings are equal. */
export async function diffTexts(
  expected: RecordingText,
  found: RecordingText,
  options: DiffTextsOptions,
  process: Pick<ExplainProcess, 'stdout' | 'env'>,
): Promise<boolean> {
  const { ignore = [], json = false, maxShown = Infinity } = options;
  const diff = await diffRecordings(expected, found, { ignore, maxLineBytes: MAX_LINE_BYTES });
  const writer = writerFor(options, process);
  await pipeline(written(diff, writer, json ? Infinity : maxShown), process.stdout, { end: false });
  const { changed, missing, added } = diff.counts;
  return changed + missing + added === 0;
}

function writerFor(
  { json = false, color = 'auto', width }: Omit<DiffFilesOptions, 'name'>,
  { stdout, env }: Pick<ExplainProcess, 'stdout' | 'env'>,
): DiffWriter {
  if (json) return differencesAsJson();
  return differencesAsText({
    columns: width ?? (stdout.columns || DEFAULT_COLUMNS),
    paint: createPaint(color, env, stdout),
  });
}

async function* written(
  diff: RecordingDiff,
  writer: DiffWriter,
  maxShown: number,
): AsyncGenerator<string, void, undefined> {
  let count = 0;
  for await (const difference of diff.differences) if (count++ < maxShown) yield writer.difference(difference);
  if (count > maxShown) yield `and ${count - maxShown} more\n`;
  yield writer.end(diff.counts);
}

function beginningOf({ read, totalBytes }: RecordingFile): Promise<Uint8Array> {
  return read(0, Math.min(totalBytes, LOOKED_AT_BYTES));
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return String(code ?? error);
}
