import type { ReceivedLine } from '@proto/transport-websocket';
import { isObject } from '../json.ts';
import { type Entry, entryOf } from '../session/entry.ts';

/** The entries of lines; undefined for what is no message. */
export function entriesOf(lines: readonly ReceivedLine[], stream: string | undefined): readonly (Entry | undefined)[] {
  return lines.map((line) => lineEntry(line, stream)).filter((entry) => entry !== 'skipped');
}

/** The entry of a line; `skipped` for what is none of the session's, undefined for what is no message. */
function lineEntry({ id, text }: ReceivedLine, stream: string | undefined): Entry | 'skipped' | undefined {
  const payload = text === undefined ? undefined : parsed(text);
  if (!isObject(payload)) return undefined;
  // It holds a token, and nobody waits for it any more.
  if (payload['type'] === 'auth') return 'skipped';
  // However often it is sent again, it is the same one.
  const fallbackId = stream === undefined || id === undefined ? undefined : `${stream}:${id}`;
  // There is no envelope to say so.
  return entryOf({ payload, ephemeral: payload['type'] === 'stream_event' }, fallbackId, text?.trim());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
