import { requestIdOf } from '@proto/core/internal';
import { encodeLine } from '@proto/core/framing';
import type { ServerConnection } from '@proto/transport-websocket';
import type { Entry, EntryRefusal, EntryResult } from '../session/entry.ts';
import { refusedLine } from './socket-lines.ts';

export interface Refused {
  /** Undefined for a line that is not a message. */
  readonly entry: Entry | undefined;
  readonly type: string;
  /** The close code for a link that has no other way to report the refusal. */
  readonly code?: number | undefined;
}

/**
 * Reports refused messages: by a notice in the resumable mode, by an error answer to a request, or by closing the link. Settles when the link has
 * room again, which forces a client to read the reports about its refused messages.
 */
export async function sendRefusals(link: ServerConnection, refused: readonly Refused[]): Promise<void> {
  let isBehind = false;
  for (const { entry, type, code } of refused) {
    const line = lineOf(link, entry, type);
    if (line !== undefined) isBehind = !link.write(line);
    else if (code !== undefined) link.close(code);
  }
  if (isBehind) await link.drained();
}

/**
 * Returns the refused entries. `already_resolved` is left out, because several clients may answer the same request, and only the first answer counts.
 */
export function refusedOf(
  posted: readonly (Entry | EntryRefusal)[],
  results: readonly EntryResult[],
): readonly Refused[] {
  return results.flatMap((result, index) =>
    'error' in result && result.error.type !== 'already_resolved'
      ? [{ entry: messageOf(posted[index]), type: result.error.type }]
      : [],
  );
}

function messageOf(posted: Entry | EntryRefusal | undefined): Entry | undefined {
  return typeof posted === 'string' ? undefined : posted;
}

function lineOf(link: ServerConnection, entry: Entry | undefined, type: string): string | undefined {
  if (link.isResumable) return refusedLine(entry?.id, type);
  if (entry?.type !== 'control_request') return undefined;
  const response = { subtype: 'error', request_id: requestIdOf(entry.payload), error: type };
  return encodeLine({ type: 'control_response', response, uuid: crypto.randomUUID() });
}
