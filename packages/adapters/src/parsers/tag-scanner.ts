import type { ParsedEvent } from '../events/agent-event.ts';

const DEFAULT_MAX_TAG_BYTES = 1024 * 1024;

const OPENING = '<event';
const CLOSING = '</event>';
const MAX_OPENING_LENGTH = 4096;
const ATTRIBUTE = /\s([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

interface OpenTag {
  readonly opening: string;
  readonly topic: string;
  readonly target: string | undefined;
}

/**
 * Finds `<event topic="T" target="U">payload</event>` in text that arrives in pieces. Everything other than complete tags with a topic is text. The
 * scanner has two states: outside a tag (`#rest` may be the beginning of a tag), and in the payload of a tag (`#rest` is the payload so far).
 */
export class TagScanner {
  readonly #maxBytes: number;
  #rest = '';
  // The length of the opening tag and the payload so far, in bytes.
  #bytes = 0;
  #tag: OpenTag | undefined;
  // The last characters of the payload, in which the closing tag may begin. They are kept so that no text is searched twice.
  #tail = '';

  constructor(maxTagBytes = DEFAULT_MAX_TAG_BYTES) {
    this.#maxBytes = maxTagBytes;
  }

  push(piece: string): ParsedEvent[] {
    const events: ParsedEvent[] = [];
    for (let left: string | undefined = piece; left !== undefined; ) {
      left = this.#tag === undefined ? this.#outside(left, events) : this.#inside(left, this.#tag, events);
    }
    return events;
  }

  end(): ParsedEvent[] {
    const text = (this.#tag?.opening ?? '') + this.#rest;
    this.#tag = undefined;
    this.#rest = '';
    return textEvents(text);
  }

  /** Returns the text after the opening tag, or `undefined` if no opening tag is found. */
  #outside(piece: string, events: ParsedEvent[]): string | undefined {
    const text = this.#rest + piece;
    let from = 0;
    // The end of the next tag. It is searched once, not for each possible beginning.
    let end = text.indexOf('>');
    for (let at = 0; (at = text.indexOf('<', at)) >= 0; at++) {
      const begun = text.slice(at, at + OPENING.length);
      if (!OPENING.startsWith(begun)) continue;
      if (end >= 0 && end < at) end = text.indexOf('>', at);
      if (end < 0 && text.length - at <= MAX_OPENING_LENGTH) {
        // The rest of the opening tag may arrive with the next piece.
        this.#rest = text.slice(at);
        events.push(...textEvents(text.slice(from, at)));
        return undefined;
      }
      const isTooLong = end < 0 || end - at > MAX_OPENING_LENGTH;
      const tag = isTooLong ? undefined : openTag(text.slice(at, end + 1));
      if (tag === undefined) continue;
      events.push(...textEvents(text.slice(from, at)));
      this.#tag = tag;
      this.#rest = '';
      this.#bytes = byteLength(tag.opening);
      this.#tail = '';
      from = end + 1;
      return text.slice(from);
    }
    this.#rest = '';
    events.push(...textEvents(text));
    return undefined;
  }

  /** Returns the text after the closing tag, or `undefined` if no closing tag is found. */
  #inside(piece: string, { topic, target }: OpenTag, events: ParsedEvent[]): string | undefined {
    const searched = this.#tail + piece;
    const at = searched.indexOf(CLOSING);
    if (at < 0) {
      this.#rest += piece;
      this.#bytes += byteLength(piece);
      this.#tail = searched.slice(-CLOSING.length + 1);
      if (this.#bytes > this.#maxBytes) events.push(...this.end());
      return undefined;
    }
    const payload = this.#rest.slice(0, this.#rest.length - this.#tail.length) + searched.slice(0, at);
    events.push({ type: 'tag_event', topic, target, payload: payload.trim() });
    this.#tag = undefined;
    this.#rest = '';
    return searched.slice(at + CLOSING.length);
  }
}

function openTag(opening: string): OpenTag | undefined {
  if (!/^<event\s/.test(opening)) return undefined;
  const attributes = new Map([...opening.matchAll(ATTRIBUTE)].map(([, name, a, b]) => [name, a ?? b ?? '']));
  const topic = attributes.get('topic');
  return topic === undefined || topic === '' ? undefined : { opening, topic, target: attributes.get('target') };
}

function textEvents(text: string): ParsedEvent[] {
  return text === '' ? [] : [{ type: 'text', text, delta: true }];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
