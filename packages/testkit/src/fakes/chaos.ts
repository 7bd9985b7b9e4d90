import type { FakeClock } from './fake-clock.ts';
import { createRandom, type FakeRandom } from './fake-random.ts';

/**
 * What chaos does to the lines of a fake:
 *
 * - `delay`: waits up to a second before a line, on the clock of the fake
 * - `split`: writes a line in pieces that end at any byte, also within a character
 * - `duplicate`: writes a message twice
 * - `unknown`: writes a message of a type that nobody knows, before a line
 * - `noise`: writes a line that is no message, before a line
 * - `death`: ends in the middle of a line, as a process that is killed
 */
export type FakeChaos = 'delay' | 'split' | 'duplicate' | 'unknown' | 'noise' | 'death';

/** The kinds of chaos that a correct peer survives: all but `death`. */
export const SURVIVABLE_CHAOS: readonly FakeChaos[] = ['delay', 'split', 'duplicate', 'unknown', 'noise'];

/** All kinds of chaos. */
export const ALL_CHAOS: readonly FakeChaos[] = [...SURVIVABLE_CHAOS, 'death'];

/** How often a kind hits a line: a third of the lines. A fake dies once, at one of its first lines. */
const SHARE = 1 / 3;
const MAX_DELAY_MS = 1000;
const LINES_BEFORE_DEATH = 5;

/** Where the lines of a fake go. */
export interface ByteWriter {
  /** Writes bytes in one piece. */
  write(bytes: Uint8Array): Promise<void> | void;
  /** Ends both directions at once, as a process that is killed. */
  die(): void;
}

/** The fake has died of its chaos. Nothing that it says after this is written. */
export class FakeDeath extends Error {
  override readonly name = 'FakeDeath';
}

/** What decides about chaos. */
export interface ChaosOptions {
  readonly kinds: readonly FakeChaos[];
  readonly seed: number;
  readonly clock: FakeClock;
}

/** Writes the lines of a fake, one after the other, with the chaos of its seed. */
export class ChaoticWriter {
  readonly #writer: ByteWriter;
  readonly #clock: FakeClock;
  readonly #kinds: ReadonlySet<FakeChaos>;
  readonly #random: FakeRandom;
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

  /** Whether the fake has died of its chaos. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /**
   * Writes a text that ends with its line end, or a part of a line. Fulfils when it is written.
   *
   * @throws {@link FakeDeath} if the fake has died.
   */
  write(text: string): Promise<void> {
    const written = this.#last.then(() => this.#line(text));
    this.#last = written.catch(() => {});
    return written;
  }

  /** Fulfils when everything is written. */
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
    // At least the line end is missing.
    await this.#writer.write(bytes.subarray(0, this.#random.below(bytes.length)));
    this.#isDead = true;
    this.#writer.die();
    throw new FakeDeath(`The fake has died in its line ${this.#lines}.`);
  }

  async #bytes(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (bytes.length < 2 || !this.#hits('split')) {
      await this.#writer.write(bytes);
      return;
    }
    const cut = 1 + this.#random.below(bytes.length - 1);
    await this.#writer.write(bytes.subarray(0, cut));
    // What has arrived is read before the rest.
    await new Promise((done) => setImmediate(done));
    await this.#writer.write(bytes.subarray(cut));
  }

  #hits(kind: FakeChaos): boolean {
    return this.#kinds.has(kind) && this.#random.next() < SHARE;
  }
}
