import { REDACTED, type Redactor } from './redactor.ts';

/** A line that holds a piece of a text, which comes in many. */
export interface StreamedPiece {
  /** Which text it belongs to. */
  readonly key: string;
  readonly text: string;
  /** Where in the message it stands. */
  readonly path: string;
  /** The line with another text in its place. */
  with(text: string): string;
}

/** What a line does to the texts that come in pieces: brings one, or ends one, or all where it names none. Nothing for any other line. */
export type StreamStep = { readonly piece: StreamedPiece } | { readonly ends: string | undefined } | undefined;

const PIECES = ['text', 'thinking', 'partial_json'];

/** Reads a line of an agent as a step of its streams. */
export function streamStepOf(line: string): StreamStep {
  // Most lines are no increments, and need not be parsed for that.
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

/** The pieces of one text without its secrets, also those that are cut in two: in the first piece of one stands `REDACTED`. */
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
    return Object(JSON.parse(line)) as StreamEvent;
  } catch {
    return {};
  }
}
