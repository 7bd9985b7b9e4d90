import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDriftReport, type DriftReport, type DriftReportOptions } from '@proto/core/drift';
import { errorLine } from '@proto/terminal/process';
import { findingsAsJson, findingsAsText, type FindingWriter } from '../finding-writer.ts';
import { isRecordingHeader, type LineReader, recordedLines } from '../recorded-lines.ts';
import { numberedLines } from '../numbered-lines.ts';

/** The flags of `sjp validate`. */
export interface ValidateOptions {
  readonly direction: DriftReportOptions['direction'];
  readonly strict?: boolean;
  readonly stats?: boolean;
  readonly json?: boolean;
}

/** Where it reads `-` and where it writes. */
export interface ValidateStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

// What published agents take as one line.
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** `sjp validate`: checks a recorded stream. Gives the exit code. */
export async function validate(
  file: string,
  { direction, strict = false, stats = false, json = false }: ValidateOptions,
  { stdin, stdout, stderr }: ValidateStreams = process,
): Promise<0 | 2 | 6> {
  const report = createDriftReport({ direction, mode: strict ? 'strict' : 'lenient' });
  const writer = (json ? findingsAsJson : findingsAsText)({ stats });
  const input = file === '-' ? stdin : createReadStream(file);
  try {
    await pipeline(input, (chunks: AsyncIterable<Buffer>) => check(chunks, { report, direction }, writer), stdout, {
      end: false,
    });
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // Whoever reads the findings has seen enough.
    if (code === 'EPIPE') return 0;
    const message = `cannot read ${file}: ${String(code ?? error)}`;
    stderr.write(json ? errorLine({ code: 'usage', message }) : `sjp validate: ${message}\n`);
    return 2;
  }
  return report.valid === report.lines ? 0 : 6;
}

async function* check(
  chunks: AsyncIterable<Buffer>,
  { report, direction }: { readonly report: DriftReport; readonly direction: ValidateOptions['direction'] },
  writer: FindingWriter,
): AsyncGenerator<string> {
  let read: LineReader | undefined;
  for await (const { number, line } of numberedLines(chunks, { maxLineBytes: MAX_LINE_BYTES })) {
    if (typeof line !== 'string') {
      yield writer.finding(report.unreadable(`the line has ${line.bytes} bytes, limit ${line.limit}`, number));
      continue;
    }
    if (read === undefined) {
      read = isRecordingHeader(line) ? recordedLines(report, direction) : (text, at) => report.read(text, at);
      if (isRecordingHeader(line)) continue;
    }
    for (const finding of read(line, number)) yield writer.finding(finding);
  }
  yield writer.end(report);
}
