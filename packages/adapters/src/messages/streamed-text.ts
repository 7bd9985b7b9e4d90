type Kind = 'text' | 'thinking';

interface Block {
  readonly kind: Kind;
  readonly key: unknown;
  text: string;
}

// A reply has few blocks. More blocks than this are kept only if their complete blocks are missing.
const MAX_BLOCKS = 64;
// No complete block is longer: it would not fit into a line.
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/**
 * Remembers text that came in pieces, so that the complete block that follows is not repeated. Blocks are compared by their text, because half of
 * the backends use different ids for the two forms.
 */
export class StreamedText {
  #blocks: Block[] = [];

  /** Adds a piece of the block that `key` names. */
  add(kind: Kind, key: unknown, piece: string): void {
    const last = this.#blocks.at(-1);
    if (last?.kind === kind && last.key === key) last.text += piece;
    else this.#blocks.push({ kind, key, text: piece });
    const isTooLong = (this.#blocks.at(-1)?.text.length ?? 0) > MAX_TEXT_LENGTH;
    if (isTooLong) this.#blocks.pop();
    if (this.#blocks.length > MAX_BLOCKS) this.#blocks.shift();
  }

  /** Returns the part of a complete block that was not streamed before: all of it, its end, or nothing. With a key only blocks of that key count. */
  unsaid(kind: Kind, whole: string, key?: string): string {
    const candidates = this.#blocks.filter((block) => block.kind === kind && (key === undefined || block.key === key));
    const said = candidates.find(({ text }) => text === whole) ?? candidates.find(({ text }) => isPartOf(text, whole));
    if (said === undefined) return whole;
    this.#blocks.splice(this.#blocks.indexOf(said), 1);
    return whole.startsWith(said.text) ? whole.slice(said.text.length) : '';
  }

  /** Forgets all blocks when a new reply begins: complete blocks of the earlier reply do not arrive any more. */
  clear(): void {
    this.#blocks = [];
  }
}

/** Whether a text is part of a complete block: its beginning, or most of it, where pieces were lost with a malformed line. */
function isPartOf(said: string, whole: string): boolean {
  if (whole.startsWith(said)) return true;
  let at = 0;
  for (let place = 0; place < whole.length && at < said.length; place++) {
    if (whole.charCodeAt(place) === said.charCodeAt(at)) at++;
  }
  return at === said.length && 2 * at >= whole.length;
}
