import { pipeline } from 'node:stream/promises';
import { diffRecordings, type RecordingDiff } from '@proto/recording/diff';
import { EXIT } from '../process/exit-code.ts';
import { type ColorMode, createPaint } from '../view/terminal-text.ts';
import { differencesAsJson, differencesAsText, type DiffWriter } from './diff-writer.ts';
import type { ExplainProcess } from './explain-file.ts';
import { ReadProgress } from './read-progress.ts';
import { openRecording, type RecordingFile } from './recording-file.ts';

/** How two recordings are compared, and how the differences are written. */
export interface DiffFilesOptions {
  /** How texts for people name the program, such as `sjp diff`. */
  readonly name: string;
  /** Places that may differ, such as `message.usage.**`. Default: none. */
  readonly ignore?: readonly string[];
  /** Whether to write NDJSON, whose last line is the result. Default false: lines for people. */
  readonly json?: boolean;
  /** When lines for people are coloured. Default `auto`. */
  readonly color?: ColorMode;
  /** The columns that a line for people may take. Default: those of the terminal, or 160. */
  readonly width?: number;
}

// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const DEFAULT_COLUMNS = 160;

/** Writes to stdout in what two recordings differ. Fulfils with the exit code: 6 where they differ, 2 for a file that cannot be read. */
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
        files.push(await openRecording(file, process.stdin));
      } catch (error) {
        process.stderr.write(`${options.name}: cannot read ${file}: ${codeOf(error)}\n`);
        return EXIT.usage;
      }
    }
    const diff = await compare(files, options, process);
    await pipeline(written(diff, writerFor(options, process)), process.stdout, { end: false });
    const { changed, missing, added } = diff.counts;
    return changed + missing + added === 0 ? EXIT.ok : EXIT.invalid;
  } catch (error) {
    // The reader of the lines has read enough. They would not read on if there were no difference.
    if (codeOf(error) === 'EPIPE') return EXIT.invalid;
    process.stderr.write(`${options.name}: cannot compare ${expected} with ${found}: ${codeOf(error)}\n`);
    return EXIT.usage;
  } finally {
    for (const file of files) await file[Symbol.asyncDispose]();
  }
}

function compare(
  [expected, found]: readonly RecordingFile[],
  { name, ignore = [] }: DiffFilesOptions,
  { stderr }: ExplainProcess,
): Promise<RecordingDiff> {
  const [a, b] = [expected as RecordingFile, found as RecordingFile];
  const progress = new ReadProgress({ name, stderr, totalBytes: a.totalBytes + b.totalBytes });
  const counted = (file: RecordingFile) => ({ ...file, bytes: () => progress.count(file.bytes()) });
  return diffRecordings(counted(a), counted(b), { ignore, maxLineBytes: MAX_LINE_BYTES });
}

function writerFor(
  { json = false, color = 'auto', width }: DiffFilesOptions,
  { stdout, env }: ExplainProcess,
): DiffWriter {
  if (json) return differencesAsJson();
  return differencesAsText({
    columns: width ?? (stdout.columns || DEFAULT_COLUMNS),
    paint: createPaint(color, env, stdout),
  });
}

async function* written(diff: RecordingDiff, writer: DiffWriter): AsyncGenerator<string, void, undefined> {
  for await (const difference of diff.differences) yield writer.difference(difference);
  yield writer.end(diff.counts);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return String(code ?? error);
}
