import type { MissingSession } from './opened-session.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

export interface Cut {
  /** The id of the last message that is kept. Default: all messages are kept. */
  readonly at: string | undefined;
  /** The id of a message in the only turn that may be lost by the cut. */
  readonly dropsTurn: string | undefined;
}

/** If messages outside the given turn would be lost, returns the reason instead. */
export function cutBranch(
  entries: readonly TranscriptEntry[],
  { at, dropsTurn }: Cut,
): { readonly entries: readonly TranscriptEntry[] } | MissingSession {
  if (at === undefined) return { entries };
  const end = entries.findIndex(({ uuid }) => uuid === at) + 1;
  if (end === 0) return { missing: `No message found with message.uuid of: ${at}` };
  const lost = entries.slice(end);
  if (dropsTurn !== undefined && !isOfOneTurn(lost, dropsTurn)) {
    return { missing: `Resuming at ${at} would lose more than the turn of ${dropsTurn}` };
  }
  return { entries: entries.slice(0, end) };
}

function isOfOneTurn(lost: readonly TranscriptEntry[], uuid: string): boolean {
  return lost.some((entry) => entry.uuid === uuid) && !lost.slice(1).some(isPrompt);
}

/** Tool results, and messages that the agent adds on behalf of the user, do not begin a turn. */
function isPrompt({ message }: TranscriptEntry): boolean {
  const body = message['message'] as { content?: unknown } | undefined;
  if (message.type !== 'user' || message['isSynthetic'] === true) return false;
  if (!Array.isArray(body?.content)) return true;
  return !body.content.some((block: unknown) => isInTurn(block));
}

function isInTurn(block: unknown): boolean {
  const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
  return type === 'tool_result' || (typeof text === 'string' && text.startsWith('[Request interrupted by user'));
}
