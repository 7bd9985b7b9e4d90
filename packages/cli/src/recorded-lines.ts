import type { DriftReport, DriftReportOptions, Finding } from '@proto/core/drift';

/** Checks a line, and gives what is wrong with it. */
export type LineReader = (line: string, number: number) => readonly Finding[];

/** Whether a first line says that the others are those of a recording. */
export function isRecordingHeader(line: string): boolean {
  return typeof entryOf(line)['recording'] === 'number';
}

/** Checks what was said on the wire, as a recording has it; with a direction, of that side alone. */
export function recordedLines(report: DriftReport, wanted: DriftReportOptions['direction']): LineReader {
  return (text, number) => {
    const { dir, line, lost, end, link, closed } = entryOf(text);
    const isDirected = dir === 'from-host' || dir === 'from-agent';
    if (isDirected && wanted !== 'auto' && dir !== wanted) return [];
    if (isDirected && typeof line === 'string') return report.read(line, number, dir);
    if (isDirected && typeof lost === 'string') return [report.unreadable(`a line was lost here: ${lost}`, number)];
    const isEvent = (isDirected && end === true) || typeof link === 'string' || typeof closed === 'string';
    return isEvent ? [] : [report.unreadable('the line is no entry of a recording', number)];
  };
}

/** The members of a line; none where it is no object. */
function entryOf(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
