import { parseJson } from '@proto/core/framing';
import { REDACTED, type Redactor } from './redactor.ts';

/** A line that contains one piece of a streamed text. */
export interface StreamedPiece {
  /** Identifies the text that the piece belongs to, by session, subagent and block index. */
  readonly key: string;
  readonly text: string;
  /** The path of the piece in its message. */
  readonly path: string;
  with(text: string): string;
}

/** The line contains a piece, or ends all texts whose key begins with `ends`. Undefined for any other line. */
export type StreamStep = { readonly piece: StreamedPiece } | { readonly ends: string } | undefined;

const PIECES = ['text', 'thinking', 'partial_json'];

/**
 * A text ends with its block, its message or its turn. Messages of another kind or from another subagent that arrive while a text is streamed do not
 * end the text.
 */
export function streamStepOf(line: string): StreamStep {
  // Most lines are not stream events and need not be parsed.
  if (!line.includes('"stream_event"')) return /"type"\s*:\s*"result"/.test(line) ? endOfTurn(parsed(line)) : undefined;
  const message = parsed(line);
  const { event } = message;
  if (message.type !== 'stream_event' || event === undefined) return undefined;
  const stream = JSON.stringify([message.session_id ?? null, message.parent_tool_use_id ?? null]);
  const key = `${stream} ${String(event.index)} `;
  if (event.type === 'content_block_stop') return { ends: key };
  if (event.type === 'message_start' || event.type === 'message_stop') return { ends: `${stream} ` };
  const { delta } = event;
  const name = PIECES.find((piece) => typeof delta?.[piece] === 'string');
  if (delta === undefined || name === undefined) return undefined;
  return {
    piece: {
      key,
      text: String(delta[name]),
      path: `event.delta.${name}`,
      with: (text) => JSON.stringify({ ...message, event: { ...event, delta: { ...delta, [name]: text } } }),
    },
  };
}

/** The end of a turn ends the texts of the main agent, because an interrupted text has no other end. The texts of subagents may continue. */
function endOfTurn({ type, session_id }: StreamEvent): StreamStep {
  return type === 'result' ? { ends: `${JSON.stringify([session_id ?? null, null])} ` } : undefined;
}

/** Removes the secrets from the pieces of one text. A secret that spans several pieces is replaced by `REDACTED` in the first of these pieces. */
export function redactedPieces(pieces: readonly string[], redactor: Redactor): readonly string[] {
  const spans = redactor.spans(pieces.join(''));
  let from = 0;
  return pieces.map((piece) => {
    const to = from + piece.length;
    let clean = '';
    let at = from;
    for (const [start, end] of spans) {
      if (end <= at || start >= to) continue;
      clean += piece.slice(at - from, Math.max(start, at) - from);
      if (start >= from) clean += REDACTED;
      at = Math.min(end, to);
    }
    clean += piece.slice(at - from);
    from = to;
    return clean;
  });
}

interface StreamEvent {
  readonly type?: unknown;
  readonly session_id?: unknown;
  readonly parent_tool_use_id?: unknown;
  readonly event?: {
    readonly type?: unknown;
    readonly index?: unknown;
    readonly delta?: Readonly<Record<string, unknown>>;
  };
}

function parsed(line: string): StreamEvent {
  try {
    return Object(parseJson(line)) as StreamEvent;
  } catch {
    return {};
  }
}
