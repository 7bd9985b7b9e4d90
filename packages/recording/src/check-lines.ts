import { parseJson } from '@proto/core/framing';
import { createDriftReport, type DriftReport, type DriftReportOptions, type Finding } from '@proto/core/drift';
import { numberedLines } from './numbered-lines.ts';

/** The options for checking lines. */
export interface CheckLinesOptions extends DriftReportOptions {
  /** The maximum length of a line in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number;
}

/** Checks lines of the protocol against the schemas. */
export interface LineCheck {
  /** The report on the lines that were checked so far. */
  readonly report: DriftReport;
  /** Yields each finding as soon as its line is read. Can be iterated only once. */
  readonly findings: AsyncIterable<Finding>;
}

/**
 * Checks the lines of a source. The source contains either one message in each line, or a recording, which begins with its header. With `direction`,
 * only the messages of one side of a recording are checked.
 */
export function checkLines(source: AsyncIterable<Uint8Array>, options: CheckLinesOptions): LineCheck {
  const report = createDriftReport(options);
  return { report, findings: findingsIn(source, report, options) };
}

async function* findingsIn(
  source: AsyncIterable<Uint8Array>,
  report: DriftReport,
  { maxLineBytes, direction }: CheckLinesOptions,
): AsyncGenerator<Finding, void, undefined> {
  let check: LineChecker | undefined;
  for await (const { number, line } of numberedLines(source, maxLineBytes === undefined ? {} : { maxLineBytes })) {
    if (typeof line !== 'string') {
      yield report.unreadable(`the line has ${line.bytes} bytes, but the limit is ${line.limit}`, number);
      continue;
    }
    const isHeader = check === undefined && isRecordingHeader(line);
    check ??= isHeader ? checkEntry(report, direction) : (text, at) => report.read(text, at);
    if (!isHeader) yield* check(line, number);
  }
}

type LineChecker = (line: string, number: number) => readonly Finding[];

function isRecordingHeader(line: string): boolean {
  return typeof entryOf(line)['recording'] === 'number';
}

function checkEntry(report: DriftReport, wanted: DriftReportOptions['direction']): LineChecker {
  return (text, number) => {
    const { dir, line, lost, end, link, notice, closed, api } = entryOf(text);
    const isDirected = dir === 'from-host' || dir === 'from-agent';
    if (isDirected && wanted !== 'auto' && dir !== wanted) return [];
    if (isDirected && typeof line === 'string') return report.read(line, number, dir);
    if (isDirected && typeof lost === 'string') return [report.unreadable(`a line was lost here: ${lost}`, number)];
    const isEvent =
      (isDirected && end === true) ||
      typeof api === 'number' ||
      [link, notice, closed].some((event) => typeof event === 'string');
    return isEvent ? [] : [report.unreadable('the line is not an entry of a recording', number)];
  };
}

function entryOf(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(parseJson(line)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
