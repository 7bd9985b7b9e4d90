import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';

/** Writes each event as a line of JSON, for `--json`. The first line contains everything that a client needs. */
export function reportAsJson(stdout: Writable): (event: { readonly type: string }) => void {
  return (event) => void stdout.write(encodeLine(event.type === 'listening' ? { ...event, eventVersion: 1 } : event));
}
