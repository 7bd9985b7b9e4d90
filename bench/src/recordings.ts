import { readdirSync, readFileSync } from 'node:fs';
import { parseLine } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';

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

/** A recorded message and who said it. */
export interface Recorded {
  readonly text: string;
  readonly direction: 'from-agent' | 'from-host';
}

/** The recorded messages of each of the types, unchecked. */
export function recordings(): ReadonlyMap<string, readonly Recorded[]> {
  const byType = new Map<string, Recorded[]>(TYPES.map((type) => [type, []]));
  for (const file of readdirSync(folder)) {
    for (const row of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
      const { dir: direction, line: text } = JSON.parse(row) as { dir: Recorded['direction']; line: string };
      // Some recorded lines are no messages on purpose.
      byType.get(parseLine(text).message?.type ?? '')?.push({ text, direction });
    }
  }
  return byType;
}

/** Those that the schemas know. */
export function known(messages: readonly Recorded[]): readonly Recorded[] {
  return messages.filter(({ text, direction }) => parseMessage(JSON.parse(text), { direction }).kind === 'known');
}
