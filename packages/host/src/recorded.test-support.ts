import { readFileSync } from 'node:fs';
import type { WireMessage } from '@proto/core/framing';

interface RecordedLine {
  readonly dir: 'from-agent' | 'from-host';
  readonly line: string;
}

export function recordedLines(name: string): readonly RecordedLine[] {
  const file = new URL(`../../core/testdata/transcripts/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedLine);
}

export function recordedMessages(name: string): readonly WireMessage[] {
  return recordedLines(name)
    .filter(({ dir }) => dir === 'from-agent')
    .map(({ line }) => JSON.parse(line) as WireMessage);
}
