type Kind = 'text' | 'thinking';

interface Block {
  readonly kind: Kind;
  readonly key: unknown;
  text: string;
}

// A reply has few blocks. The number of stored blocks exceeds this only if their complete blocks do not arrive.
const MAX_BLOCKS = 64;
// A complete block cannot be longer, because it would not fit into a line.
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/**
 * Remembers text that arrived in pieces, so that the text is not yielded again when the complete block arrives. Blocks are compared by their text,
 * because half of the backends use different ids for the pieces and the complete block.
 */
export class StreamedText {
  #blocks: Block[] = [];

  add(kind: Kind, key: unknown, piece: string): void {
    const last = this.#blocks.at(-1);
    if (last?.kind === kind && last.key === key) last.text += piece;
    else this.#blocks.push({ kind, key, text: piece });
    const isTooLong = (this.#blocks.at(-1)?.text.length ?? 0) > MAX_TEXT_LENGTH;
    if (isTooLong) this.#blocks.pop();
    if (this.#blocks.length > MAX_BLOCKS) this.#blocks.shift();
  }

  /**
   * Returns the part of a complete block that was not streamed before: the whole block, the end of the block, or an empty string. With a key, only
   * blocks with this key are compared.
   */
  unsaid(kind: Kind, whole: string, key?: string): string {
    const candidates = this.#blocks.filter((block) => block.kind === kind && (key === undefined || block.key === key));
    const said = candidates.find(({ text }) => text === whole) ?? candidates.find(({ text }) => isPartOf(text, whole));
    if (said === undefined) return whole;
    this.#blocks.splice(this.#blocks.indexOf(said), 1);
    return whole.startsWith(said.text) ? whole.slice(said.text.length) : '';
  }

  /** Forgets all pieces. No complete block of an earlier reply arrives after a new reply begins. */
  clear(): void {
    this.#blocks = [];
  }
}

/** The text may be the beginning of the block, or most of the block if pieces were lost in a malformed line. */
function isPartOf(said: string, whole: string): boolean {
  if (whole.startsWith(said)) return true;
  let at = 0;
  for (let place = 0; place < whole.length && at < said.length; place++) {
    if (whole.charCodeAt(place) === said.charCodeAt(at)) at++;
  }
  return at === said.length && 2 * at >= whole.length;
}
