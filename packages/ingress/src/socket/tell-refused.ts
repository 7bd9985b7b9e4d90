import { requestIdOf } from '@proto/core/internal';
import { encodeLine } from '@proto/core/framing';
import type { LogLink } from '@proto/transport-websocket';
import type { Entry, EntryRefusal, EntryResult } from '../session/entry.ts';
import { refusedLine } from './socket-lines.ts';

/** A message that is not taken, and why. */
export interface Refused {
  /** Undefined for what is no message. */
  readonly entry: Entry | undefined;
  readonly type: string;
  /** Ends a link on which nothing else tells it. */
  readonly code?: number | undefined;
}

/**
 * Says that messages are not taken: beside the messages where there is a way to, by the answer to a request, or by the end of the link.
 * Settles when there is room for more: who says much that is refused has to read it, too.
 */
export async function tellRefused(link: LogLink, refused: readonly Refused[]): Promise<void> {
  let isBehind = false;
  for (const { entry, type, code } of refused) {
    const line = lineOf(link, entry, type);
    if (line !== undefined) isBehind = !link.write(line);
    else if (code !== undefined) link.close(code);
  }
  if (isBehind) await link.drained();
}

/** What of the entries was not stored. A second answer to a request is no mistake of who gave it. */
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

function lineOf(link: LogLink, entry: Entry | undefined, type: string): string | undefined {
  if (link.isResumable) return refusedLine(entry?.id, type);
  if (entry?.type !== 'control_request') return undefined;
  const response = { subtype: 'error', request_id: requestIdOf(entry.payload), error: type };
  return encodeLine({ type: 'control_response', response, uuid: crypto.randomUUID() });
}
