// Written as strings, because linters report control characters in regular expressions as mistakes.
const PARAMETERS = '[0-?]*[ -/]*';
const STRING = String.raw`[\]PX^_][^\x07\x1b]*`;
// CSI sequences; OSC, DCS, SOS, PM and APC with their terminators; character sets; short escapes.
const ESCAPE = String.raw`\x1b(?:\[${PARAMETERS}[@-~]|${STRING}(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\a-z])`;
// All control characters except tab, LF and CR.
const CONTROL = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f]`;
const ESCAPES = new RegExp(ESCAPE, 'g');
const CONTROLS = new RegExp(CONTROL, 'g');
const STEERING = new RegExp(String.raw`(?:${ESCAPE}|${CONTROL}|\r)+`, 'g');
// An incomplete escape at the end of a text.
const UNFINISHED = new RegExp(String.raw`\x1b(?:\[${PARAMETERS}|${STRING}\x1b?|[ -/]*)$`);
// Longer sequences are treated as text, so that no text is held back for long.
const MAX_ESCAPE_LENGTH = 4096;

/**
 * Removes terminal escapes and control characters from text that arrives in pieces. CR LF becomes LF. A single CR also becomes LF, because the text
 * after the CR is a new line that overwrites the previous line.
 */
export class TerminalFilter {
  // Text that may be the beginning of an escape.
  #escape = '';
  // CR characters that may be followed by LF.
  #returns = '';

  /** Holds back an incomplete escape at the end of the piece, because it may continue in the next piece. */
  push(piece: string): string {
    const text = this.#escape + piece;
    const from = UNFINISHED.exec(text)?.index ?? text.length;
    const isEscape = text.length - from <= MAX_ESCAPE_LENGTH;
    this.#escape = isEscape ? text.slice(from) : '';
    return this.#lines(isEscape ? text.slice(0, from) : text);
  }

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

// A byte order mark is only at the beginning of the output. If a terminal adds text before it, it may be anywhere in a line.
const BYTE_ORDER_MARK = '\uFEFF';

export function withoutByteOrderMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}

/**
 * Restores a line of JSON that was passed through a terminal. Removes escapes, control characters, and text that the terminal has put before the
 * object, such as the echo of Ctrl-D. Returns `undefined` if there is nothing to remove.
 */
export function jsonWithoutTerminal(line: string): string | undefined {
  if (line.search(STEERING) < 0) return undefined;
  const marked = line.replace(STEERING, '\0');
  const object = /^[^{]*\0\uFEFF?\{/.exec(marked);
  return (object === null ? marked : marked.slice(object[0].length - 1)).replaceAll('\0', '');
}
