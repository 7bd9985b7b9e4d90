import { JsonCursor } from '@proto/core/network';
import { Pace, type Steps } from '../event-loop.ts';
import { faultOf, passed, type PassedValue, type PayloadFault } from './payload-limits.ts';
import type { JsonObject } from './values.ts';

/** The maximum number of members in a body, and in each of its entries. Real bodies have fewer than ten. */
const MAX_NAMES = 1000;

/** Why an entry of a list must not be stored. */
export type CutFault = PayloadFault | 'name_twice' | 'invalid_entry';

/** One entry of the list in a body. */
export interface CutEntry {
  /** The text of the entry's message; undefined if the entry has no message or has a `fault`. */
  readonly payload: string | undefined;
  readonly members: JsonObject;
  readonly fault?: CutFault | undefined;
}

export interface CutBody {
  /** The members of the body, without the list of entries. */
  readonly members: JsonObject;
  /** The entries of the list; undefined if the member is missing or is not a list. */
  readonly entries: readonly CutEntry[] | undefined;
}

/** A body that must be refused as a whole. */
export class CutBodyError extends Error {
  readonly reason: 'not_json' | 'no_object' | 'name_twice' | PayloadFault | 'too_many_entries';

  constructor(reason: CutBodyError['reason'], options?: ErrorOptions) {
    super(`body: ${reason}`, options);
    this.reason = reason;
  }
}

/** The list of messages in a body. */
export interface CutBodyOptions {
  readonly list: string;
  /** Whether the items are the messages themselves, not entries with a `payload`. Default false. */
  readonly isBare?: boolean;
  readonly maxEntries: number;
}

/**
 * Divides a body into its parts without parsing all of it at once. The text of each message is cut out, and exactly this text is parsed and stored. A
 * member name that occurs twice, however it is escaped, is refused, because another reader might use the other value.
 * @throws {CutBodyError} for a body that must be refused as a whole.
 */
export function* cutBody(text: string, options?: CutBodyOptions): Steps<CutBody> {
  try {
    return yield* new BodyCutter(text, options).cut();
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new CutBodyError('not_json', { cause });
    throw cause;
  }
}

const NO_MEMBERS: JsonObject = {};

class BodyCutter {
  readonly #text: string;
  readonly #options: CutBodyOptions | undefined;
  readonly #cursor: JsonCursor;
  readonly #pace = new Pace();
  #pacedTo = 0;

  constructor(text: string, options: CutBodyOptions | undefined) {
    this.#text = text;
    this.#options = options;
    this.#cursor = new JsonCursor(text);
  }

  *cut(): Steps<CutBody> {
    const cursor = this.#cursor;
    if (!cursor.enterObject()) {
      this.#parse(yield* passed(cursor));
      cursor.end();
      throw new CutBodyError('no_object');
    }
    const members = new Map<string, unknown>();
    let entries: readonly CutEntry[] | undefined;
    for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
      if (members.has(name)) throw new CutBodyError('name_twice');
      if (members.size >= MAX_NAMES) throw new CutBodyError('too_many_values');
      if (name === this.#options?.list && cursor.enterList()) {
        members.set(name, undefined);
        entries = yield* this.#entries(this.#options);
      } else members.set(name, this.#parse(cursor.pass() ?? (yield* passed(cursor))));
    }
    cursor.end();
    if (entries !== undefined) members.delete(this.#options?.list ?? '');
    return { members: Object.fromEntries(members), entries };
  }

  *#entries({ isBare, maxEntries }: CutBodyOptions): Steps<readonly CutEntry[]> {
    const cursor = this.#cursor;
    const entries: CutEntry[] = [];
    while (cursor.nextItem()) {
      if (entries.length >= maxEntries) throw new CutBodyError('too_many_entries');
      if (isBare === true) entries.push(this.#message(cursor.pass() ?? (yield* passed(cursor)), NO_MEMBERS));
      else entries.push(yield* this.#entry());
      if (this.#isStepDone()) yield;
    }
    return entries;
  }

  #isStepDone(): boolean {
    const done = this.#cursor.at - this.#pacedTo;
    this.#pacedTo = this.#cursor.at;
    return this.#pace.isStepDone(done);
  }

  *#entry(): Steps<CutEntry> {
    const cursor = this.#cursor;
    if (!cursor.enterObject()) return this.#noEntry(cursor.pass() ?? (yield* passed(cursor)));
    let payload: PassedValue | undefined;
    // Most entries have only a payload.
    let others: Map<string, unknown> | undefined;
    let fault: CutFault | undefined;
    for (let name = cursor.nextName(), names = 0; name !== undefined; name = cursor.nextName(), names++) {
      if (name === 'payload' ? payload !== undefined : others?.has(name) === true) fault ??= 'name_twice';
      else if (names >= MAX_NAMES) fault ??= 'too_many_values';
      const value = cursor.pass() ?? (yield* passed(cursor));
      if (this.#isStepDone()) yield;
      if (fault !== undefined) continue;
      if (name === 'payload') payload = value;
      else (others ??= new Map()).set(name, this.#parse(value));
    }
    if (fault !== undefined) return { payload: undefined, members: NO_MEMBERS, fault };
    const members = others === undefined ? NO_MEMBERS : Object.fromEntries(others);
    return payload === undefined ? { payload, members, fault } : this.#message(payload, members);
  }

  /** Returns the fault of an item that is not an object. Throws if the item is not JSON, because this makes the whole body invalid. */
  #noEntry(value: PassedValue): CutEntry {
    const fault = faultOf(value);
    if (fault === undefined) JSON.parse(this.#slice(value));
    return { payload: undefined, members: NO_MEMBERS, fault: fault ?? 'invalid_entry' };
  }

  #message(value: PassedValue, members: JsonObject): CutEntry {
    const fault = faultOf(value);
    return { payload: fault === undefined ? this.#slice(value) : undefined, members, fault };
  }

  #parse(value: PassedValue): unknown {
    const fault = faultOf(value);
    if (fault !== undefined) throw new CutBodyError(fault);
    return JSON.parse(this.#slice(value));
  }

  #slice({ start, end }: PassedValue): string {
    const slice = this.#text.slice(start, end);
    // A mere slice would keep the whole text in memory.
    return this.#text.length > 2 * slice.length + 4096 ? copyOf(slice) : slice;
  }
}

function copyOf(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
