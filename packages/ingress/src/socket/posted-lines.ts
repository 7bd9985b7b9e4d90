import type { ReceivedLine } from '@proto/transport-websocket';
import { giveWay } from '../give-way.ts';
import { faultIn } from '../json/payload-limits.ts';
import { type Entry, entryOf, type EntryRefusal } from '../session/entry.ts';

/** After so many UTF-16 units have been parsed, other work runs. */
const GIVE_WAY_UNITS = 256 * 1024;

/** The entries of lines, or why one is left out. Each line is parsed once, from the text that is stored. */
export async function postedLines(
  lines: readonly ReceivedLine[],
  stream: string | undefined,
): Promise<readonly (Entry | EntryRefusal)[]> {
  const posted: (Entry | EntryRefusal)[] = [];
  let units = 0;
  for (const line of lines) {
    const { text = '' } = line;
    const entry = (await faultIn(text)) ?? posting(line, stream);
    // It holds a token, and nobody waits for it any more.
    if (typeof entry === 'string' || entry.type !== 'auth') posted.push(entry);
    units += text.length;
    if (units < GIVE_WAY_UNITS) continue;
    units = 0;
    await giveWay();
  }
  return posted;
}

function posting({ id, text }: ReceivedLine, stream: string | undefined): Entry | EntryRefusal {
  if (text === undefined) return 'invalid_entry';
  // However often it is sent again, it is the same one.
  const fallbackId = stream === undefined || id === undefined ? undefined : `${stream}:${id}`;
  try {
    const entry = entryOf(text.trim(), { fallbackId });
    // There is no envelope to say so.
    return typeof entry !== 'string' && entry.type === 'stream_event' ? { ...entry, ephemeral: true } : entry;
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid_entry';
    throw error;
  }
}
