import type { FakeClock } from './fake-clock.ts';
import { createRandom, type Random } from '../random.ts';

/**
 * A kind of disturbance of the lines that a fake writes:
 *
 * - `delay`: waits up to a second before writing a line, measured by the fake's clock
 * - `split`: writes a line in two pieces, split at any byte, even within a character
 * - `duplicate`: writes a message twice
 * - `unknown`: writes a message of an unknown type before a line
 * - `noise`: writes a line that is not a message before a line
 * - `death`: ends in the middle of a line, like a killed process
 */
export type FakeChaos = 'delay' | 'split' | 'duplicate' | 'unknown' | 'noise' | 'death';

export const SURVIVABLE_CHAOS: readonly FakeChaos[] = ['delay', 'split', 'duplicate', 'unknown', 'noise'];

export const ALL_CHAOS: readonly FakeChaos[] = [...SURVIVABLE_CHAOS, 'death'];

/** The share of lines that each kind of chaos affects. `death`, however, happens only once, at one of the first lines. */
const SHARE = 1 / 3;
const MAX_DELAY_MS = 1000;
const LINES_BEFORE_DEATH = 5;

/** The output of a fake. */
export interface ByteWriter {
  /** Writes bytes in one piece. */
  write(bytes: Uint8Array): Promise<void> | void;
  /** Ends both directions immediately, like a killed process. */
  die(): void;
}

export class FakeDeath extends Error {
  override readonly name = 'FakeDeath';
}

export interface ChaosOptions {
  readonly kinds: readonly FakeChaos[];
  readonly seed: number;
  readonly clock: FakeClock;
}

/** Writes text with disturbances that depend on the seed. */
export class ChaoticWriter {
  readonly #writer: ByteWriter;
  readonly #clock: FakeClock;
  readonly #kinds: ReadonlySet<FakeChaos>;
  readonly #random: Random;
  readonly #lastLine: number;
  #lines = 0;
  #last: Promise<void> = Promise.resolve();
  #isDead = false;

  constructor(writer: ByteWriter, { kinds, seed, clock }: ChaosOptions) {
    this.#writer = writer;
    this.#clock = clock;
    this.#kinds = new Set(kinds);
    this.#random = createRandom(seed);
    this.#lastLine = this.#kinds.has('death') ? 1 + this.#random.below(LINES_BEFORE_DEATH) : Infinity;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /**
   * Fulfils when the text has been written.
   *
   * @throws {@link FakeDeath} if the fake has died
   */
  write(text: string): Promise<void> {
    const written = this.#last.then(() => this.#line(text));
    this.#last = written.catch(() => {});
    return written;
  }

  async flush(): Promise<void> {
    await this.#last;
  }

  async #line(text: string): Promise<void> {
    if (this.#isDead) throw new FakeDeath('The fake has died.');
    this.#lines += 1;
    const isWhole = text.endsWith('\n');
    if (this.#hits('delay')) await this.#clock.wait(1 + this.#random.below(MAX_DELAY_MS));
    if (isWhole && this.#hits('noise')) await this.#bytes(`noise of a fake, line ${this.#lines}\n`);
    if (isWhole && this.#hits('unknown')) await this.#bytes(`{"type":"fake_unknown","line":${this.#lines}}\n`);
    if (this.#lines >= this.#lastLine) await this.#die(text);
    await this.#bytes(text);
    if (isWhole && this.#hits('duplicate')) await this.#bytes(text);
  }

  async #die(text: string): Promise<never> {
    const bytes = Buffer.from(text);
    // The text is cut so that at least the line end is missing.
    await this.#writer.write(bytes.subarray(0, this.#random.below(bytes.length)));
    this.#isDead = true;
    this.#writer.die();
    throw new FakeDeath(`The fake died while it wrote line ${this.#lines}.`);
  }

  async #bytes(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (bytes.length < 2 || !this.#hits('split')) {
      await this.#writer.write(bytes);
      return;
    }
    const cut = 1 + this.#random.below(bytes.length - 1);
    await this.#writer.write(bytes.subarray(0, cut));
    // The peer reads the first piece before the rest is written.
    await new Promise((done) => setImmediate(done));
    await this.#writer.write(bytes.subarray(cut));
  }

  #hits(kind: FakeChaos): boolean {
    return this.#kinds.has(kind) && this.#random.next() < SHARE;
  }
}
