import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { changeable, type Path, valueAt, withMember } from './places.ts';

/**
 * Finds the first issue of a value that a check refuses. A check reads a value before its members, reads the members one after another, and stops at
 * the wrong member. The last member that the check reads is therefore the member with the issue. The message contains no part of the value, so it can
 * be logged.
 */
export function issueOf(passes: Check, value: unknown): Issue {
  try {
    const question = new Question(passes);
    return question.explain(value, question.whereItStops(value));
  } catch (error) {
    if (error instanceof TooMuchToLookAt) return TOO_LARGE;
    throw error;
  }
}

/** The strings that some members must contain exactly. */
export const FIXED_TEXTS: readonly string[] =
  'message user assistant 2.0 unknown success error allow deny accept decline cancel'.split(' ');

// Fixed texts are tried only at a place that accepts no kinds except these.
const NO_TEXT: readonly string[] = ['boolean', 'true', 'null'];

/** The issue that is reported for a value that would take too long to explain. */
export const TOO_LARGE: Issue = { path: [], message: 'too large to determine what is wrong' };

export class TooMuchToLookAt extends Error {
  override readonly name = 'TooMuchToLookAt';
}

/** Reading this many members takes about 50 ms, however large the value is. */
const MAX_LOOKED_AT = 150_000;

// If a check reads more members than this before it stops, the check is not called with one sample of each kind.
const MAX_ASKED = 5_000;

// The same limit for the samples of fixed texts. There are more of these samples.
const MAX_ASKED_FOR_TEXTS = 500;

// The cost of a member, relative to a recorded read: for a read that is not recorded, and for a copy.
const PASSED_OVER = 0.5;
const COPIED = 0.05;

// The kinds that a place may require, with the name of each kind and a sample.
const KINDS: readonly (readonly [string, unknown])[] = [
  ['string', ''],
  ['number', 0],
  ['boolean', false],
  ['true', true],
  ['object', {}],
  ['array', []],
  ['null', null],
];

/** Finds out why a check refuses a value. Every method throws `TooMuchToLookAt` if the work exceeds the limit. */
export class Question {
  readonly #passes: Check;
  #left = MAX_LOOKED_AT;
  /** How many reads `whereItStops` recorded in its last call. */
  #noted = 0;

  constructor(passes: Check) {
    this.#passes = passes;
  }

  passes(value: unknown): boolean {
    this.#charge(this.#noted * PASSED_OVER);
    return this.#passes(value);
  }

  /**
   * Returns the path of the last member that the check read. Each call of the check records the reads of only one level: first the reads of the value
   * itself, then the reads of its last member, and so on. Members at other levels cost no more than in a usual call.
   */
  whereItStops(value: unknown): Path {
    const path: PropertyKey[] = [];
    const before = this.#left;
    for (let at = value; typeof at === 'object' && at !== null; at = valueAt(value, path)) {
      let last: PropertyKey | undefined;
      const isList = Array.isArray(at);
      const noting = withReadsNoted(at, (name) => {
        // Checks read the length of a list and its elements; only the elements count.
        if (isList && name === 'length') return;
        this.#charge(1);
        last = isList ? Number(name) : name;
      });
      this.#passes(withMember(value, path, noting, this.copied));
      if (last === undefined) break;
      path.push(last);
    }
    this.#noted = before - this.#left;
    return path;
  }

  /** Returns what the check expects at the path where it stops. Calls the check with one sample of each kind of value at this path. */
  explain(value: unknown, path: Path): Issue {
    if (this.#noted > MAX_ASKED) return { path, message: 'expected a different value' };
    const changed = changeable(value, path, this.copied);
    const passing = KINDS.filter(([, sample]) => this.passes(changed(sample)));
    // If one kind passes, the rest of the value is valid. In this case, objects may be accepted too: the sample object may fail only because it
    // lacks members.
    const others = passing.length === 0 ? KINDS : KINDS.filter(([name]) => name === 'object');
    const taken = others.filter(
      ([name, sample]) => (name === 'object' && this.#looksInto(changed)) || this.#stopsLater(changed(sample), path),
    );
    const names = KINDS.filter((kind) => passing.includes(kind) || taken.includes(kind)).map(([name]) => name);
    if (names.length === KINDS.length) return { path, message: 'expected a value' };
    const wanted = names.includes('boolean') ? names.filter((name) => name !== 'true') : names;
    if (wanted.every((name) => NO_TEXT.includes(name))) wanted.push(...this.#acceptedTextsAt(path, changed));
    return { path, message: `expected ${wanted.join(' or ') || 'another value'}` };
  }

  #acceptedTextsAt(path: Path, changed: (member: unknown) => unknown): readonly string[] {
    if (this.#noted > MAX_ASKED_FOR_TEXTS) return [];
    const accepted = FIXED_TEXTS.filter((text) => this.passes(changed(text)) || this.#stopsLater(changed(text), path));
    return accepted.map((text) => JSON.stringify(text));
  }

  #stopsLater(value: unknown, path: Path): boolean {
    return !isAtOrAbove(this.whereItStops(value), path);
  }

  #looksInto(changed: (member: unknown) => unknown): boolean {
    let isLookedInto = false;
    const passes = this.passes(
      changed(
        withReadsNoted({}, () => {
          isLookedInto = true;
        }),
      ),
    );
    return passes || isLookedInto;
  }

  /**
   * Whether the member at the path may be absent. `value` is the value without this member. Returns `false` if the value still has an issue at the
   * path, or if the check now requires a missing sibling, because the removed member may be the discriminator.
   */
  spares(value: unknown, path: Path): boolean {
    if (this.passes(value)) return true;
    const stop = this.whereItStops(value);
    if (isAtOrAbove(stop, path)) return false;
    const isSibling = stop.length === path.length && isAtOrAbove(stop.slice(0, -1), path);
    return !isSibling || valueAt(value, stop) !== undefined;
  }

  readonly copied = (members: number): void => this.#charge(members * COPIED);

  #charge(members: number): void {
    this.#left -= members;
    if (this.#left < 0) throw new TooMuchToLookAt();
  }
}

function withReadsNoted(value: object, note: (name: PropertyKey) => void): object {
  return new Proxy(value, {
    get(target, name) {
      note(name);
      return Reflect.get(target, name) as unknown;
    },
  });
}

function isAtOrAbove(stop: Path, path: Path): boolean {
  return stop.length <= path.length && stop.every((key, index) => path[index] === key);
}
