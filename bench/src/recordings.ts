import { readdirSync, readFileSync } from 'node:fs';
import { parseLine } from '@proto/core/framing';

/** The seven types whose checks are measured. */
export const TYPES = [
  'stream_event',
  'assistant',
  'user',
  'result',
  'system',
  'control_request',
  'control_response',
] as const;

const folder = new URL('../../packages/core/testdata/transcripts/', import.meta.url);

/** A recorded message, and its sender. */
export interface Recorded {
  readonly text: string;
  readonly direction: 'from-agent' | 'from-host';
}

/** The recorded messages of each of the types that the schemas know. */
export function recordings(): ReadonlyMap<string, readonly Recorded[]> {
  const byType = new Map<string, Recorded[]>(TYPES.map((type) => [type, []]));
  const notKnown = linesNotKnown();
  for (const file of readdirSync(folder)) {
    for (const [index, row] of rowsOf(new URL(file, folder)).entries()) {
      if (notKnown.has(`${file}:${index + 1}`)) continue;
      const { dir: direction, line: text } = JSON.parse(row) as { dir: Recorded['direction']; line: string };
      byType.get(parseLine(text).message?.type ?? '')?.push({ text, direction });
    }
  }
  return byType;
}

// A list names the lines that no schema knows. Finding them with the checks would change the measurement: the engine compiles a check differently after a refusal.
function linesNotKnown(): ReadonlySet<string> {
  const rows = rowsOf(new URL('../transcripts-not-known.ndjson', folder));
  return new Set(
    rows.map((row) => JSON.parse(row) as { file: string; line: number }).map((row) => `${row.file}:${row.line}`),
  );
}

function rowsOf(file: URL): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
