import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkLines, type CheckLinesOptions, type LineCheck } from '@proto/recording/check';
import { errorLine } from '../process/error-line.ts';
import { EXIT } from '../process/exit-code.ts';
import { findingsAsJson, findingsAsText, type FindingWriter } from './finding-writer.ts';
import { ReadProgress, sizeOf } from './read-progress.ts';

/** How a file of lines is checked, and how the findings are written. */
export interface ValidateOptions {
  /** How texts for people name the program, such as `sjp validate`. */
  readonly name: string;
  /** Which side wrote the lines. Of a recording, the lines of that side are checked. */
  readonly direction: CheckLinesOptions['direction'];
  /** Whether an invalid optional member makes its line invalid. Default false. */
  readonly strict?: boolean;
  /** Whether to write how often each message was seen. Default false. */
  readonly stats?: boolean;
  /** Whether to write NDJSON, whose last line is the result. Default false: lines for people. */
  readonly json?: boolean;
}

/** The streams of a process. `stdin` is read for the file `-`. */
export interface FileStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Checks the lines of a file, and writes the findings to stdout. Fulfils with the exit code: 6 for an invalid line, 2 for a file that cannot be read. */
export async function validateFile(
  file: string,
  { name, direction, strict = false, stats = false, json = false }: ValidateOptions,
  { stdin, stdout, stderr }: FileStreams,
): Promise<number> {
  const writer = (json ? findingsAsJson : findingsAsText)({ stats });
  const input: AsyncIterable<Uint8Array> = file === '-' ? stdin : createReadStream(file);
  const options = { direction, mode: strict ? 'strict' : 'lenient', maxLineBytes: MAX_LINE_BYTES } as const;
  const progress = new ReadProgress({ name, stderr, totalBytes: await sizeOf(file) });
  const check = checkLines(progress.count(input), options);
  try {
    await pipeline(written(check, writer, progress), stdout, { end: false });
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // The reader of the findings has read enough.
    if (code === 'EPIPE') return EXIT.ok;
    const message = `cannot read ${file}: ${String(code ?? error)}`;
    stderr.write(json ? errorLine({ code: 'usage', message }) : `${name}: ${message}\n`);
    return EXIT.usage;
  }
  return check.report.valid === check.report.lines ? EXIT.ok : EXIT.invalid;
}

async function* written(
  { findings, report }: LineCheck,
  writer: FindingWriter,
  progress: ReadProgress,
): AsyncGenerator<string> {
  for await (const finding of findings) {
    progress.clear();
    yield writer.finding(finding);
  }
  yield writer.end(report);
}
