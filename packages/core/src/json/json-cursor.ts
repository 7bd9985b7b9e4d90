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

/** How many UTF-16 units `pass` looks at before it returns: a few milliseconds of work. */
const STEP_UNITS = 256 * 1024;

/** A value that a cursor has passed, and what parsing it would cost. */
export interface PassedValue {
  /** Where its text begins and ends. */
  readonly start: number;
  readonly end: number;
  /** The deepest nesting of objects and lists in it: 0 for a string, a number or a word. */
  readonly depth: number;
  /** How many members the objects in it have. */
  readonly members: number;
  /** How many values it has at most, itself and all within it. */
  readonly values: number;
}

/** A text is no JSON where the cursor stands. */
export class JsonCursorError extends Error {
  override readonly name = 'JsonCursorError';
}

/**
 * Walks along the outer levels of a JSON text without making its values. It gives the names of members unescaped, and the place of each
 * value, so that a value can be taken out as it was written and be parsed once. It checks the levels that it walks. It does not check the
 * values that it passes: parse the text of such a value to find out whether it is JSON.
 *
 * Linear in the text, however it is nested or escaped. `pass` returns after a step, so that a caller can let other work run in between.
 */
export class JsonCursor {
  readonly text: string;
  #at = 0;
  /** Whether the level that was entered last has had no member or item yet. */
  #isFirst = false;
  // Of the value that is being passed.
  #start = -1;
  #depth = 0;
  #deepest = 0;
  #members = 0;
  #values = 0;

  constructor(text: string) {
    this.text = text;
    this.#skipBlanks();
  }

  /** Where the cursor stands, in UTF-16 units. */
  get at(): number {
    return this.#at;
  }

  /** Enters the object that stands here; false where another value does. */
  enterObject(): boolean {
    return this.#enter(OPEN_OBJECT);
  }

  /** Enters the list that stands here; false where another value does. */
  enterList(): boolean {
    return this.#enter(OPEN_LIST);
  }

  /**
   * The name of the next member of the object that was entered, unescaped; the cursor stands at its value then, which is to be passed or
   * entered. Undefined after the last member, when the cursor has left the object.
   * @throws {JsonCursorError} where no member stands.
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
   * Whether the list that was entered has a further item; the cursor stands at it then. False after the last item, when the cursor has
   * left the list.
   * @throws {JsonCursorError} where no item can stand.
   */
  nextItem(): boolean {
    return !this.#leaves(CLOSE_LIST);
  }

  /**
   * Passes the value that stands here; undefined where a step of the work is done but not all of it: call again.
   * @throws {JsonCursorError} where the text ends within the value.
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
   * Ends the walk.
   * @throws {JsonCursorError} where more than blanks follow.
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

  /** Leaves the level where it ends here, and passes the comma otherwise. */
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

  /** Moves on by a step; true at the end of the value, or of the text. */
  #step(): boolean {
    const { text } = this;
    const stop = Math.min(text.length, this.#at + STEP_UNITS);
    // Fields would be written at each unit, which takes three times as long.
    let at = this.#at;
    let depth = this.#depth;
    let values = 0;
    let members = 0;
    let isEnd = false;
    for (; at < stop && !isEnd; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          // A text after a number, or the like, is another value, and no JSON.
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
    try {
      return String(JSON.parse(this.text.slice(start, this.#at)));
    } catch {
      throw this.#error('the name of a member');
    }
  }

  #skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.#at))) this.#at++;
  }

  #error(expected: string): JsonCursorError {
    return new JsonCursorError(`json: no JSON at character ${this.#at + 1}, where ${expected} should stand`);
  }
}

/** What JSON takes for a blank, and nothing else that looks like one. */
function isBlank(unit: number): boolean {
  return unit === SPACE || unit === LF || unit === CR || unit === TAB;
}

/** The place after the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
