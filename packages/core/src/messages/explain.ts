import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { changeable, type Path, valueAt, withMember } from './places.ts';

/**
 * Finds the first thing that is wrong with a value that a check refuses. The check itself tells: it looks at a value before anything below it,
 * at one member after the other, and stops at the wrong member. No text holds anything of the value, so that it may be logged.
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

/** The issue of a value that would take too long to look at. */
export const TOO_LARGE: Issue = { path: [], message: 'too large to say what is wrong with it' };

/** Thrown when more members would have to be looked at than the limit allows. */
export class TooMuchToLookAt extends Error {
  override readonly name = 'TooMuchToLookAt';
}

/** How many members may be looked at for one value: about 50 ms of work, however large a value a peer sends. */
const MAX_LOOKED_AT = 150_000;

// Where a check looks at more than this to come to a place, it is not asked about one value of each kind.
const MAX_ASKED = 5_000;

// To let a check pass over a member costs less than to note which it looks at, and so does a copy.
const PASSED_OVER = 0.5;
const COPIED = 0.05;

// What a place might want instead, and what that is called.
const KINDS: readonly (readonly [string, unknown])[] = [
  ['string', ''],
  ['number', 0],
  ['boolean', false],
  ['true', true],
  ['object', {}],
  ['array', []],
  ['null', null],
];

/** Asks one check about one value, and forms of it. Every method throws `TooMuchToLookAt` where that takes too long. */
export class Question {
  readonly #passes: Check;
  #left = MAX_LOOKED_AT;
  /** How many members were noted when the check was last followed. */
  #noted = 0;

  constructor(passes: Check) {
    this.#passes = passes;
  }

  /** Whether the check passes. */
  passes(value: unknown): boolean {
    this.#charge(this.#noted * PASSED_OVER);
    return this.#passes(value);
  }

  /**
   * The last member that the check looked at: first of the value itself, then of that member, and so on, so that all others cost no more than
   * usual.
   */
  whereItStops(value: unknown): Path {
    const path: PropertyKey[] = [];
    const before = this.#left;
    for (let at = value; typeof at === 'object' && at !== null; at = valueAt(value, path)) {
      let last: PropertyKey | undefined;
      const isList = Array.isArray(at);
      const noting = watched(at, (name) => {
        // Of a list, checks look at its length, and at its elements.
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

  /** What the check wants at the place where it stops: it is asked about one value of each kind. */
  explain(value: unknown, path: Path): Issue {
    if (this.#noted > MAX_ASKED) return { path, message: 'expected another value' };
    const changed = changeable(value, path, this.copied);
    const passing = KINDS.filter(([, sample]) => this.passes(changed(sample)));
    // Where one passes, nothing else is wrong, so that only an object may still be right and lack members.
    const others = passing.length === 0 ? KINDS : KINDS.filter(([name]) => name === 'object');
    const taken = others.filter(([name, sample]) =>
      name === 'object' ? this.#looksInto(changed) : !isAtOrAbove(this.whereItStops(changed(sample)), path),
    );
    const names = KINDS.filter((kind) => passing.includes(kind) || taken.includes(kind)).map(([name]) => name);
    if (names.length === KINDS.length) return { path, message: 'expected a value' };
    const wanted = names.includes('boolean') ? names.filter((name) => name !== 'true') : names;
    return { path, message: `expected ${wanted.join(' or ') || 'a known value'}` };
  }

  #looksInto(changed: (member: unknown) => unknown): boolean {
    let isLookedInto = false;
    const passes = this.passes(
      changed(
        watched({}, () => {
          isLookedInto = true;
        }),
      ),
    );
    return passes || isLookedInto;
  }

  /** Whether the check does without a member at a place, and misses none beside it for that: it may be what tells kinds apart. */
  spares(value: unknown, path: Path): boolean {
    if (this.passes(value)) return true;
    const stop = this.whereItStops(value);
    if (isAtOrAbove(stop, path)) return false;
    const isBeside = stop.length === path.length && isAtOrAbove(stop.slice(0, -1), path);
    return !isBeside || valueAt(value, stop) !== undefined;
  }

  /** Is told of each copy that was made on the way to a place. */
  readonly copied = (members: number): void => this.#charge(members * COPIED);

  #charge(members: number): void {
    this.#left -= members;
    if (this.#left < 0) throw new TooMuchToLookAt();
  }
}

/** The object, telling of each member that is looked at. */
function watched(value: object, note: (name: PropertyKey) => void): object {
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
