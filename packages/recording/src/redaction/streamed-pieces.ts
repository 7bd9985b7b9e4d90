import { parseJson } from '@proto/core/internal';
import { REDACTED, type Redactor } from './redactor.ts';

/** A line with one piece of a streamed text. */
export interface StreamedPiece {
  /** Names the text that the piece belongs to. */
  readonly key: string;
  readonly text: string;
  /** The path of the piece in its message. */
  readonly path: string;
  /** The line with another text in place of the piece. */
  with(text: string): string;
}

/** The effect of a line on streamed texts: it brings a piece, or ends one text, or ends all texts (`undefined`). Undefined for any other line. */
export type StreamStep = { readonly piece: StreamedPiece } | { readonly ends: string | undefined } | undefined;

const PIECES = ['text', 'thinking', 'partial_json'];

/** The effect of a line of an agent on its streamed texts. */
export function streamStepOf(line: string): StreamStep {
  // Most lines are no stream events and need not be parsed.
  if (!line.includes('"stream_event"'))
    return /"type":"(?:assistant|result|user)"/.test(line) ? { ends: undefined } : undefined;
  const message = parsed(line);
  const { event } = message;
  if (event === undefined) return undefined;
  const key = `${String(message.parent_tool_use_id)} ${String(event.index)}`;
  if (event.type === 'content_block_stop') return { ends: key };
  if (event.type === 'message_stop') return { ends: undefined };
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

/** The pieces of one text without its secrets. A secret that spans several pieces becomes `REDACTED` in the first of them. */
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
