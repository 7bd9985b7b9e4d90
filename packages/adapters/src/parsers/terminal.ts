// Written as strings, because linters report control characters in regular expressions as mistakes.
const PARAMETERS = '[0-?]*[ -/]*';
const STRING = String.raw`[\]PX^_][^\x07\x1b]*`;
// CSI; OSC, DCS, SOS, PM and APC with their ends; character sets; short escapes.
const ESCAPE = String.raw`\x1b(?:\[${PARAMETERS}[@-~]|${STRING}(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\a-z])`;
// All control characters but tab, LF and CR.
const CONTROL = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f]`;
const ESCAPES = new RegExp(ESCAPE, 'g');
const CONTROLS = new RegExp(CONTROL, 'g');
const STEERING = new RegExp(String.raw`(?:${ESCAPE}|${CONTROL}|\r)+`, 'g');
// The beginning of an escape at the end of a text.
const UNFINISHED = new RegExp(String.raw`\x1b(?:\[${PARAMETERS}|${STRING}\x1b?|[ -/]*)$`);
// Longer sequences count as text, so that no text is held back for long.
const MAX_ESCAPE_LENGTH = 4096;

/**
 * Removes escapes and control characters of a terminal from text that comes in pieces. CR LF becomes LF. A lone CR becomes LF too, because the
 * text after it is a new line that overwrites the earlier line.
 */
export class TerminalFilter {
  // The possible beginning of an escape.
  #escape = '';
  // CRs that may be followed by LF.
  #returns = '';

  /** The text of a piece, without an end that may go on in the next piece. */
  push(piece: string): string {
    const text = this.#escape + piece;
    const from = UNFINISHED.exec(text)?.index ?? text.length;
    const isEscape = text.length - from <= MAX_ESCAPE_LENGTH;
    this.#escape = isEscape ? text.slice(from) : '';
    return this.#lines(isEscape ? text.slice(0, from) : text);
  }

  /** The text that was held back. */
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

// Only at the beginning of the output. After text that a terminal adds it may stand anywhere in a line.
const BYTE_ORDER_MARK = '\uFEFF';

/** A line without a byte order mark at its beginning. */
export function withoutByteOrderMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}

/**
 * Restores a line of JSON that went through a terminal: removes escapes, control characters, and text that the terminal has put before the object,
 * such as the echo of Ctrl-D. Undefined for a line without any of these.
 */
export function jsonWithoutTerminal(line: string): string | undefined {
  if (line.search(STEERING) < 0) return undefined;
  const marked = line.replace(STEERING, '\0');
  const object = /^[^{]*\0\uFEFF?\{/.exec(marked);
  return (object === null ? marked : marked.slice(object[0].length - 1)).replaceAll('\0', '');
}
