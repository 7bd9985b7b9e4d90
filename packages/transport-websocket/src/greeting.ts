import { parseNumberedLine } from './numbered-lines.ts';

/**
 * The name of the stream that the first frame of a client in the resumable mode speaks of: the same on each of its links, so that a
 * server can tell which of its clients is back. Undefined for what is no greeting.
 */
export function streamOfGreeting(frame: string): string | undefined {
  const greeting = parseNumberedLine(frame.split('\n', 1)[0] ?? '');
  return greeting.kind === 'ack' ? greeting.stream : undefined;
}
