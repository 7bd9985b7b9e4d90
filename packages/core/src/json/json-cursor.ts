const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Matches a name without escapes and control characters. The value of such a name is its text, so the name need not be parsed, which would take
 * several times as long. Most names are of this kind.
 */
const PLAIN_NAME = /^"[^"\\\p{Cc}]*"$/u;
/** How many UTF-16 units `pass` reads before it returns: a few milliseconds of work. */
const STEP_UNITS = 256 * 1024;

/** A value that a cursor has skipped, with the counts that determine the cost of parsing it. */
export interface PassedValue {
  /** The start and the end of the text of the value. */
  readonly start: number;
  readonly end: number;
  /** The deepest nesting of objects and lists in the value. 0 for a string, a number, a boolean or `null`. */
  readonly depth: number;
  /** The number of members of all objects in the value. */
  readonly members: number;
  /** An upper bound for the number of values, counting the value itself and all values in it. */
  readonly values: number;
}

/**
 * Thrown if the text is not valid JSON at the position of the cursor. This class extends `SyntaxError`, so that code that catches the errors of
 * `JSON.parse` also catches this error.
 */
export class JsonCursorError extends SyntaxError {
  override readonly name = 'JsonCursorError';
}

/**
 * Traverses the outer levels of a JSON text without creating its values. The cursor returns the unescaped names of members, and the position of each
 * value, so that the caller can cut out the text of a value and parse it once. The cursor checks the levels that it traverses, but not the values
 * that it skips. To find out whether a skipped value is JSON, parse its text.
 *
 * The cost is linear in the length of the text, for any nesting and escaping. `pass` returns after each step, so that other work can run in between.
 */
export class JsonCursor {
  /** The whole JSON text. */
  readonly text: string;
  #at = 0;
  /** True until the cursor reaches the first member or item of the level that it entered last. */
  #isFirst = false;
  // The state of the value that is being skipped.
  #start = -1;
  #depth = 0;
  #deepest = 0;
  #members = 0;
  #values = 0;

  constructor(text: string) {
    this.text = text;
    this.#skipBlanks();
  }

  /** The position of the cursor, in UTF-16 units. */
  get at(): number {
    return this.#at;
  }

  /** Enters the object at the cursor. Returns `false` if the value at the cursor is not an object. */
  enterObject(): boolean {
    return this.#enter(OPEN_OBJECT);
  }

  /** Enters the list at the cursor. Returns `false` if the value at the cursor is not a list. */
  enterList(): boolean {
    return this.#enter(OPEN_LIST);
  }

  /**
   * Returns the unescaped name of the next member of the entered object, and moves to the value of this member, which must be skipped or entered
   * next. After the last member, leaves the object and returns `undefined`.
   * @throws {JsonCursorError} if the text at the cursor is not a valid member.
   */
  nextName(): string | undefined {
    if (this.#leaves(CLOSE_OBJECT)) return undefined;
    if (this.text.charCodeAt(this.#at) !== QUOTE) throw this.#error('the name of a member');
    const start = this.#at;
    this.#at = endOfString(this.text, start);
    const name = this.#nameIn(start);
    this.#skipBlanks();
    if (this.text.charCodeAt(this.#at) !== COLON) throw this.#error('a colon');
    this.#at++;
    this.#skipBlanks();
    return name;
  }

  /**
   * Moves to the next item of the entered list, and returns `true`. After the last item, leaves the list and returns `false`.
   * @throws {JsonCursorError} if an item is not allowed at the cursor.
   */
  nextItem(): boolean {
    return !this.#leaves(CLOSE_LIST);
  }

  /**
   * Skips the value at the cursor. Returns `undefined` after a step if the value is not complete yet. In this case, call `pass` again.
   * @throws {JsonCursorError} if the text ends within the value.
   */
  pass(): PassedValue | undefined {
    if (this.#start < 0) {
      this.#start = this.#at;
      this.#depth = this.#deepest = this.#members = 0;
      this.#values = 1;
    }
    if (!this.#step()) return undefined;
    const [start, end] = [this.#start, this.#at];
    if (start === end || this.#depth > 0) throw this.#error('a value');
    this.#start = -1;
    this.#skipBlanks();
    return { start, end, depth: this.#deepest, members: this.#members, values: this.#values };
  }

  /**
   * Ends the traversal.
   * @throws {JsonCursorError} if the remaining text contains anything other than white space.
   */
  end(): void {
    if (this.#at < this.text.length) throw this.#error('the end');
  }

  #enter(bracket: number): boolean {
    if (this.text.charCodeAt(this.#at) !== bracket) return false;
    this.#at++;
    this.#isFirst = true;
    this.#skipBlanks();
    return true;
  }

  /**
   * Leaves the level and returns `true` if the level ends at the cursor. Otherwise skips the comma before the next member or item, and returns
   * `false`.
   */
  #leaves(bracket: number): boolean {
    const unit = this.text.charCodeAt(this.#at);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (unit === bracket) {
      this.#at++;
      this.#skipBlanks();
      return true;
    }
    if (isFirst) return false;
    if (unit !== COMMA) throw this.#error('a comma');
    this.#at++;
    this.#skipBlanks();
    return false;
  }

  /** Advances by one step. Returns `true` at the end of the value or of the text. */
  #step(): boolean {
    const { text } = this;
    const stop = Math.min(text.length, this.#at + STEP_UNITS);
    // Local variables, because writing the fields for each unit takes three times as long.
    let at = this.#at;
    let depth = this.#depth;
    let values = 0;
    let members = 0;
    let isEnd = false;
    for (; at < stop && !isEnd; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          // A string after a number or a word is another value, so the text is not valid JSON.
          if (depth === 0 && at > this.#start) return this.#stepped(at, 0, true);
          at = endOfString(text, at) - 1;
          isEnd = depth === 0;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (depth === 0 && at > this.#start) return this.#stepped(at, 0, true);
          if (++depth > this.#deepest) this.#deepest = depth;
          values++;
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (depth === 0) return this.#stepped(at, 0, true);
          isEnd = --depth === 0;
          break;
        case COMMA:
          if (depth === 0) return this.#stepped(at, 0, true);
          values++;
          break;
        case COLON:
          if (depth === 0) return this.#stepped(at, 0, true);
          members++;
          break;
        case SPACE:
        case LF:
        case CR:
        case TAB:
          if (depth === 0) return this.#stepped(at, 0, true);
      }
    }
    this.#values += values;
    this.#members += members;
    return this.#stepped(at, depth, isEnd || at >= text.length);
  }

  #stepped(at: number, depth: number, isEnd: boolean): boolean {
    this.#at = at;
    this.#depth = depth;
    return isEnd;
  }

  #nameIn(start: number): string {
    const quoted = this.text.slice(start, this.#at);
    if (PLAIN_NAME.test(quoted)) return quoted.slice(1, -1);
    try {
      return String(JSON.parse(quoted));
    } catch {
      throw this.#error('the name of a member');
    }
  }

  #skipBlanks(): void {
    while (isJsonBlank(this.text.charCodeAt(this.#at))) this.#at++;
  }

  #error(expected: string): JsonCursorError {
    return new JsonCursorError(`json: invalid JSON at character ${this.#at + 1}: expected ${expected}`);
  }
}

function isJsonBlank(unit: number): boolean {
  return unit === SPACE || unit === LF || unit === CR || unit === TAB;
}

/** Returns the end of the text if the closing quote is missing. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
