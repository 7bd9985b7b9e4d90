import { readBackquoted } from './backquoted.ts';
import { type OpenDocument, readHereDocuments } from './here-document.ts';
import {
  beginsFunction,
  type Context,
  DOLLAR_QUOTE,
  type Frame,
  type LineReading,
  NAME,
  PLAIN,
  PLAIN_IN_QUOTES,
  REDIRECTION,
  SIMPLE_EXPANSION,
  standsForItself,
} from './line-pieces.ts';
import { type ShellCommand, type ShellWord, WordBuilder } from './shell-word.ts';

/**
 * Reads the line once, from left to right. Interprets quotes, substitutions, redirections and here-documents, because they determine where commands
 * begin. If the line contains syntax that the reader does not support, `isSure` is false, so that no command is silently missed.
 */
export function readLine(line: string): LineReading {
  return new LineReader(line).read();
}

class LineReader {
  readonly #line: string;
  #at = 0;
  #words: ShellWord[] = [];
  #word = new WordBuilder();
  #isTarget = false;
  #mayBeOver = false;
  #isSure = true;
  readonly #frames: Frame[] = [];
  readonly #commands: ShellCommand[] = [];
  readonly #nested: string[] = [];
  #documents: OpenDocument[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  read(): LineReading {
    while (this.#at < this.#line.length) {
      if (this.#frames.at(-1)?.context === '"') this.#readInQuotes();
      else this.#readBare();
    }
    this.#endCommand();
    if (this.#frames.length > 0 || this.#documents.length > 0) this.#isSure = false;
    // A shell that reads the line in this way would not run the parts that are still open. Another shell may read the line in another way and run them.
    this.#commands.push(...this.#frames.map(({ words }) => words));
    return { commands: this.#commands, nested: this.#nested, isSure: this.#isSure };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line);
    if (found !== null) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }

  #readBare(): void {
    const plain = this.#take(PLAIN);
    if (plain !== undefined) return this.#word.add(plain[0]);
    const character = this.#line[this.#at] as string;
    switch (character) {
      case '\n':
        return this.#endLine();
      case '\\':
        return this.#readBackslash();
      case "'":
        return this.#readSingleQuotes();
      case '$':
        return this.#readDollar();
      case '`':
        return this.#readBackquotes();
      case '<':
      case '>':
        return this.#readRedirection();
      default:
        this.#at++;
        this.#readMark(character);
    }
  }

  #readMark(character: string): void {
    switch (character) {
      case '"':
        this.#word.add('');
        return this.#enter('"', false);
      case ';':
      case '|':
        return this.#endCommand();
      case '&':
        return this.#readAmpersand();
      case '(':
        return this.#openParenthesis();
      case ')':
        this.#endCommand();
        if (this.#frames.length > 0) this.#leave();
        return;
      case '#':
        return this.#readHash();
      case '{':
      case '*':
      case '?':
      case '[':
        if (standsForItself(character, this.#line[this.#at] ?? ' ', this.#word.isStarted)) this.#word.add(character);
        else this.#word.addUnknown(character);
        return;
      case ' ':
      case '\t':
        return this.#endWord();
      case '~':
      case '}':
        return this.#word.add(character);
      default:
        // Shells differ in how they handle other blanks and control characters.
        this.#isSure = false;
        this.#word.add(character);
    }
  }

  #readHash(): void {
    if (this.#word.isStarted) return this.#word.add('#');
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }

  /** `&` ends a command. In some shells, `&>` is a redirection. In other shells, the `&` ends the command before the redirection. */
  #readAmpersand(): void {
    if (this.#line[this.#at] !== '>') return this.#endCommand();
    this.#endWord();
    this.#readRedirection();
    this.#mayBeOver = true;
  }

  #readInQuotes(): void {
    const plain = this.#take(PLAIN_IN_QUOTES);
    if (plain !== undefined) return this.#addLiteral(plain[0]);
    switch (this.#line[this.#at]) {
      case '"':
        this.#at++;
        return this.#leave();
      case '\\': {
        const next = this.#line[this.#at + 1] ?? '';
        this.#at += 2;
        if (next !== '\n') this.#word.add(/["\\$`]/.test(next) ? next : `\\${next}`);
        // A later `eval` or arithmetic may run the quoted text.
        if (next === '`' || next === '$') this.#isSure = false;
        return;
      }
      case '$':
        return this.#readDollar();
      default:
        return this.#readBackquotes();
    }
  }

  #readBackslash(): void {
    const next = this.#line[this.#at + 1];
    this.#at += 2;
    if (next === '\n') return;
    if (next === '$' || next === '`') this.#isSure = false;
    this.#word.add(next ?? '\\');
  }

  #readSingleQuotes(): void {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) this.#isSure = false;
    const text = this.#line.slice(this.#at + 1, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#line.length : end + 1;
    this.#addLiteral(text);
  }

  /** A substitution in literal text may run when the text is evaluated later: by arithmetic, by `PS4`, or by an alias. */
  #addLiteral(text: string): void {
    if (/\$\(|`/.test(text)) this.#isSure = false;
    this.#word.add(text);
  }

  #readDollar(): void {
    const isInQuotes = this.#frames.at(-1)?.context === '"';
    const next = this.#line[this.#at + 1];
    if (next === '(') {
      this.#at += 2;
      // Arithmetic evaluates the values of variables, which may contain substitutions.
      if (this.#line[this.#at] === '(') this.#isSure = false;
      this.#word.addUnknown('$');
      return this.#enter('(', true);
    }
    if (next === '{') {
      const simple = this.#take(SIMPLE_EXPANSION);
      if (simple === undefined) {
        this.#isSure = false;
        this.#at += 2;
      }
      return this.#word.addUnknown(simple?.[0] ?? '${');
    }
    if (next === "'" && !isInQuotes) return this.#readDollarQuotes();
    const name = this.#take(NAME);
    if (name !== undefined) return this.#word.addUnknown(name[0]);
    this.#at++;
    if (next === '"' && !isInQuotes) this.#word.addUnknown('');
    else this.#word.add('$');
  }

  /** In some shells, `$'...'` is a quoted text with escapes. In other shells, it is a `$` before a quoted text. */
  #readDollarQuotes(): void {
    const quoted = this.#take(DOLLAR_QUOTE);
    if (quoted?.[1]?.includes('\\') !== false) this.#isSure = false;
    if (quoted === undefined) this.#at++;
    else this.#word.addUnknown(quoted[1] ?? '');
  }

  #readBackquotes(): void {
    const { text, end, isSure } = readBackquoted(this.#line, this.#at + 1);
    if (!isSure) this.#isSure = false;
    this.#nested.push(text);
    this.#at = end;
    this.#word.addUnknown('`');
  }

  #readRedirection(): void {
    if (/^(?:\d+|\{\w+\}?)$/.test(this.#word.text)) this.#word.take();
    const operator = this.#take(REDIRECTION)?.[0] ?? '';
    if (this.#line[this.#at] === '(' && operator.length === 1) {
      this.#at++;
      this.#word.addUnknown(operator);
      return this.#enter('(', true);
    }
    this.#endWord();
    this.#isTarget = true;
    if (operator === '<<' || operator === '<<-') this.#documents.push({ operator, depth: this.#frames.length });
  }

  #openParenthesis(): void {
    const { isStarted, text } = this.#word;
    // After a word, a parenthesis begins a function or a list of values. In a pattern, it may be part of a program's name.
    if (isStarted && !beginsFunction(this.#line, this.#at) && !/^\w+\+?=$/.test(text)) this.#isSure = false;
    if (this.#line[this.#at] === '(') this.#isSure = false;
    this.#endCommand();
    this.#enter('(', false);
  }

  #enter(context: Context, isExpansion: boolean): void {
    this.#frames.push({ context, words: this.#words, word: this.#word, isExpansion });
    if (context === '"') return;
    // The words, redirection targets and here-documents of a command list inside a word are separate from those of the surrounding text.
    if (this.#isTarget || this.#mayBeOver) this.#isSure = false;
    this.#isTarget = false;
    this.#mayBeOver = false;
    this.#words = [];
    this.#word = new WordBuilder();
  }

  #leave(): void {
    const frame = this.#frames.pop() as Frame;
    if (frame.context === '"') return;
    this.#words = frame.words;
    this.#word = frame.word;
    if (frame.isExpansion) this.#word.addUnknown(')');
  }

  #endWord(): void {
    if (!this.#word.isStarted) return;
    const word = this.#word.take();
    if (this.#isTarget) {
      this.#isTarget = false;
      const document = this.#documents.at(-1);
      if (document === undefined || document.delimiter !== undefined) return;
      document.delimiter = word.text;
      if (!word.isWhole) this.#isSure = false;
      return;
    }
    if (this.#mayBeOver) this.#isSure = false;
    this.#words.push(word);
  }

  #endCommand(): void {
    this.#endWord();
    this.#isTarget = false;
    this.#mayBeOver = false;
    if (this.#words.length === 0) return;
    // The patterns in a `case` command end with a parenthesis that has no opening parenthesis.
    if (this.#frames.length > 0 && this.#words.some(({ text }) => text === 'case')) this.#isSure = false;
    this.#commands.push(this.#words);
    this.#words = [];
  }

  #endLine(): void {
    this.#endCommand();
    this.#at++;
    const { end, isSure } = readHereDocuments(this.#line, this.#at, this.#documents, this.#frames.length);
    if (!isSure) this.#isSure = false;
    this.#at = end;
    this.#documents = [];
  }
}
