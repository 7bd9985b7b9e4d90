import { JsonCursor, JsonCursorError, type PassedValue } from '@proto/core/internal';
import { Pace } from '../event-loop.ts';
import { faultOf, passed, type PayloadFault } from './payload-limits.ts';
import type { JsonObject } from './values.ts';

/** The most members of a body, and of each of its entries. Real ones have less than ten. */
const MAX_NAMES = 1000;

/** Why an entry of a list must not be stored. */
export type CutFault = PayloadFault | 'name_twice' | 'invalid_entry';

/** One entry of the list of a body. */
export interface CutEntry {
  /** The text of its message; undefined for an entry without a message, and for an entry with a `fault`. */
  readonly payload: string | undefined;
  /** The other members of the entry. */
  readonly members: JsonObject;
  readonly fault?: CutFault | undefined;
}

/** The parts of a body. */
export interface CutBody {
  /** The members without the list of entries. */
  readonly members: JsonObject;
  /** The entries of the list; undefined if the list is missing or is no list. */
  readonly entries: readonly CutEntry[] | undefined;
}

/** A body that must be refused as a whole. */
export class CutBodyError extends Error {
  /** Why the body is refused. */
  readonly reason: 'not_json' | 'no_object' | 'name_twice' | PayloadFault | 'too_many_entries';

  constructor(reason: CutBodyError['reason'], options?: ErrorOptions) {
    super(`body: ${reason}`, options);
    this.reason = reason;
  }
}

/** The list of messages in a body. */
export interface CutBodyOptions {
  /** The name of the list. */
  readonly list: string;
  /** Whether the items are the messages themselves, not entries with a `payload`. Default false. */
  readonly isBare?: boolean;
  readonly maxEntries: number;
}

/**
 * Divides a body into its parts without parsing all of it at once. The text of each message is cut out: this text is parsed and stored. A name that
 * stands twice, in any spelling, is refused, because another reader could take the other value.
 * @throws {CutBodyError} for a body that must be refused as a whole.
 */
export async function cutBody(text: string, options?: CutBodyOptions): Promise<CutBody> {
  try {
    return await new BodyCutter(text, options).cut();
  } catch (cause) {
    if (cause instanceof JsonCursorError || cause instanceof SyntaxError) throw new CutBodyError('not_json', { cause });
    throw cause;
  }
}

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

  async cut(): Promise<CutBody> {
    const cursor = this.#cursor;
    if (!cursor.enterObject()) {
      this.#parse(await passed(cursor));
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
        entries = await this.#entries(this.#options);
      } else members.set(name, this.#parse(await passed(cursor)));
    }
    cursor.end();
    if (entries !== undefined) members.delete(this.#options?.list ?? '');
    return { members: Object.fromEntries(members), entries };
  }

  async #entries({ isBare, maxEntries }: CutBodyOptions): Promise<readonly CutEntry[]> {
    const entries: CutEntry[] = [];
    while (this.#cursor.nextItem()) {
      if (entries.length >= maxEntries) throw new CutBodyError('too_many_entries');
      entries.push(isBare === true ? this.#message(await passed(this.#cursor)) : await this.#entry());
      await this.#yieldToEventLoop();
    }
    return entries;
  }

  #yieldToEventLoop(): Promise<void> {
    const done = this.#cursor.at - this.#pacedTo;
    this.#pacedTo = this.#cursor.at;
    return this.#pace.after(done);
  }

  async #entry(): Promise<CutEntry> {
    const cursor = this.#cursor;
    if (!cursor.enterObject()) return this.#noEntry(await passed(cursor));
    const members = new Map<string, unknown>();
    let message: CutEntry = { payload: undefined, members: {} };
    let fault: CutFault | undefined;
    for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
      if (members.has(name)) fault ??= 'name_twice';
      else if (members.size >= MAX_NAMES) fault ??= 'too_many_values';
      const value = await passed(cursor);
      await this.#yieldToEventLoop();
      if (fault !== undefined) continue;
      if (name === 'payload') message = this.#message(value);
      members.set(name, name === 'payload' ? undefined : this.#parse(value));
    }
    if (fault !== undefined) return { payload: undefined, members: {}, fault };
    members.delete('payload');
    return { ...message, members: Object.fromEntries(members) };
  }

  /** An item that is no object. It must still be JSON. */
  #noEntry(value: PassedValue): CutEntry {
    const fault = faultOf(value);
    if (fault === undefined) JSON.parse(this.#slice(value));
    return { payload: undefined, members: {}, fault: fault ?? 'invalid_entry' };
  }

  /** The text of a message, which is not parsed here. */
  #message(value: PassedValue): CutEntry {
    const fault = faultOf(value);
    return { payload: fault === undefined ? this.#slice(value) : undefined, members: {}, fault };
  }

  #parse(value: PassedValue): unknown {
    const fault = faultOf(value);
    if (fault !== undefined) throw new CutBodyError(fault);
    return JSON.parse(this.#slice(value));
  }

  #slice({ start, end }: PassedValue): string {
    const slice = this.#text.slice(start, end);
    // A slice would keep the whole text in memory.
    return this.#text.length > 2 * slice.length + 4096 ? copyOf(slice) : slice;
  }
}

function copyOf(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
