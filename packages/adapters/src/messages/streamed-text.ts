/** What text a block is. */
type Kind = 'text' | 'thinking';

interface Block {
  readonly kind: Kind;
  readonly key: unknown;
  text: string;
}

// A reply has a few blocks. More than these wait for their whole form only where none ever comes.
const MAX_BLOCKS = 64;
// No whole block is as long: it would not fit into a line.
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/**
 * Remembers text that came in pieces, so that the whole block that follows is not said again. Blocks are told by their text,
 * because half of the backends give the two forms different ids.
 */
export class StreamedText {
  #blocks: Block[] = [];

  /** Takes a piece of the block that `key` names. */
  add(kind: Kind, key: unknown, piece: string): void {
    const last = this.#blocks.at(-1);
    if (last?.kind === kind && last.key === key) last.text += piece;
    else this.#blocks.push({ kind, key, text: piece });
    const isTooLong = (this.#blocks.at(-1)?.text.length ?? 0) > MAX_TEXT_LENGTH;
    if (isTooLong) this.#blocks.pop();
    if (this.#blocks.length > MAX_BLOCKS) this.#blocks.shift();
  }

  /** What of a whole block has not been said: all of it, its end, or nothing. Only the block of that key counts if there is one. */
  unsaid(kind: Kind, whole: string, key?: string): string {
    const candidates = this.#blocks.filter((block) => block.kind === kind && (key === undefined || block.key === key));
    const said = candidates.find(({ text }) => text === whole) ?? candidates.find(({ text }) => isPartOf(text, whole));
    if (said === undefined) return whole;
    this.#blocks.splice(this.#blocks.indexOf(said), 1);
    return whole.startsWith(said.text) ? whole.slice(said.text.length) : '';
  }

  /** A new reply begins: whole blocks of the one before will not come any more. */
  clear(): void {
    this.#blocks = [];
  }
}

/** Whether this is what was said of the whole: its beginning, or most of it, where pieces were lost with a bad line. */
function isPartOf(said: string, whole: string): boolean {
  if (whole.startsWith(said)) return true;
  let at = 0;
  for (let place = 0; place < whole.length && at < said.length; place++) {
    if (whole.charCodeAt(place) === said.charCodeAt(at)) at++;
  }
  return at === said.length && 2 * at >= whole.length;
}
