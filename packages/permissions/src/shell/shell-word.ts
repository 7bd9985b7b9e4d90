/** What is known about a word of a command line before the line runs. */
export interface ShellWord {
  /** The word without quotes. Expansions are kept as written. */
  readonly text: string;
  /** The part of `text` before the first expansion, which is certain. */
  readonly known: string;
  /** True if the word contains no expansion, so that it is exactly `text`. */
  readonly isWhole: boolean;
}

/** A simple command: its words, without redirections. */
export type ShellCommand = readonly ShellWord[];

export class WordBuilder {
  #text = '';
  #known: string | undefined;
  #isStarted = false;

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#isStarted = true;
    this.#text += text;
  }

  /** Adds a piece that a shell replaces with other text. */
  addUnknown(text: string): void {
    this.#known ??= this.#text;
    this.add(text);
  }

  /** Also starts the next word. */
  take(): ShellWord {
    const word = { text: this.#text, known: this.#known ?? this.#text, isWhole: this.#known === undefined };
    this.#text = '';
    this.#known = undefined;
    this.#isStarted = false;
    return word;
  }
}
