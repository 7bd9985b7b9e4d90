// As text, because patterns that look for control characters are taken for mistakes.
const PARAMETERS = '[0-?]*[ -/]*';
const STRING = String.raw`[\]PX^_][^\x07\x1b]*`;
// CSI; OSC, DCS, SOS, PM and APC with their ends; character sets; and the short ones.
const ESCAPE = String.raw`\x1b(?:\[${PARAMETERS}[@-~]|${STRING}(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\a-z])`;
// All but tab, LF and CR.
const CONTROL = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f]`;
const ESCAPES = new RegExp(ESCAPE, 'g');
const CONTROLS = new RegExp(CONTROL, 'g');
const STEERING = new RegExp(String.raw`(?:${ESCAPE}|${CONTROL}|\r)+`, 'g');
// The beginning of an escape, where the text ends.
const UNFINISHED = new RegExp(String.raw`\x1b(?:\[${PARAMETERS}|${STRING}\x1b?|[ -/]*)$`);
// Longer ones are no escapes: nobody is kept waiting for their end.
const MAX_ESCAPE_LENGTH = 4096;

/**
 * Takes what steers a terminal out of text that comes in pieces: escapes and control characters. CR LF becomes LF, and so does a
 * lone CR, because what follows it is a line of its own, written over the one before.
 */
export class TerminalFilter {
  // What may be the beginning of an escape.
  #escape = '';
  // CRs that may be followed by LF.
  #returns = '';

  /** The text of a piece, without what may go on in the next one. */
  push(piece: string): string {
    const text = this.#escape + piece;
    const from = UNFINISHED.exec(text)?.index ?? text.length;
    const isEscape = text.length - from <= MAX_ESCAPE_LENGTH;
    this.#escape = isEscape ? text.slice(from) : '';
    return this.#lines(isEscape ? text.slice(0, from) : text);
  }

  /** What was held back. */
  end(): string {
    const rest = this.#lines(this.#escape) + this.#returns.slice(0, 1).replace('\r', '\n');
    this.#escape = '';
    this.#returns = '';
    return rest;
  }

  #lines(text: string): string {
    const plain = this.#returns + text.replace(ESCAPES, '').replace(CONTROLS, '');
    this.#returns = /\r*$/.exec(plain)?.[0] ?? '';
    return plain.slice(0, plain.length - this.#returns.length).replace(/\r+\n?/g, '\n');
  }
}

// At the beginning of a file only; behind what a terminal adds it stands anywhere.
const BYTE_ORDER_MARK = '\uFEFF';

/** A line without the mark at the beginning of what was written, if it stands there. */
export function withoutByteOrderMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}

/**
 * What a terminal left of a line of JSON: without escapes and control characters, and without text of the terminal's own ahead of
 * the object, such as the echo of the input's end. Undefined when the line holds none of them.
 */
export function jsonWithoutTerminal(line: string): string | undefined {
  if (line.search(STEERING) < 0) return undefined;
  const marked = line.replace(STEERING, '\0');
  const object = /^[^{]*\0\uFEFF?\{/.exec(marked);
  return (object === null ? marked : marked.slice(object[0].length - 1)).replaceAll('\0', '');
}
