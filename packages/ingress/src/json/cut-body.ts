import { JsonCursor, JsonCursorError, type PassedValue } from '@proto/core/internal';
import { Pace } from '../event-loop.ts';
import { faultOf, passed, type PayloadFault } from './payload-limits.ts';
import type { JsonObject } from './values.ts';

/** How many members a body, and each of its entries, may have: real ones have less than ten. */
const MAX_NAMES = 1000;

/** What is wrong with an entry of a list, so that it must not be stored. */
export type CutFault = PayloadFault | 'name_twice' | 'invalid_entry';

/** One entry of a list, as it stands in the body. */
export interface CutEntry {
  /** The text of its message; undefined where it has none, or `fault` says why it must not be looked at. */
  readonly payload: string | undefined;
  /** Its other members. */
  readonly members: JsonObject;
  readonly fault?: CutFault | undefined;
}

/** A body, taken apart. */
export interface CutBody {
  /** Its members but for the list of entries. */
  readonly members: JsonObject;
  /** The entries of its list; undefined where that is none, or missing. */
  readonly entries: readonly CutEntry[] | undefined;
}

/** A body that must not be used at all. */
export class CutBodyError extends Error {
  /** `not_json`, the name that stands twice, a limit, or more entries than allowed. */
  readonly reason: 'not_json' | 'no_object' | 'name_twice' | PayloadFault | 'too_many_entries';

  constructor(reason: CutBodyError['reason'], options?: ErrorOptions) {
    super(`body: ${reason}`, options);
    this.reason = reason;
  }
}

/** What of a body is a list of messages. */
export interface CutBodyOptions {
  /** The name of the list. */
  readonly list: string;
  /** Whether its items are the messages themselves, and not entries with a `payload`. */
  readonly isBare?: boolean;
  readonly maxEntries: number;
}

/**
 * Takes a body apart without ever parsing all of it: the text of each message is cut out, and whoever parses that text parses exactly what
 * is stored. A name that stands twice, in whatever spelling, ends it, because another reader could take the other value.
 * @throws {CutBodyError} for a body that must not be used at all.
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

  /** What stands there is no object; that it is JSON is all that is asked of it. */
  #noEntry(value: PassedValue): CutEntry {
    const fault = faultOf(value);
    if (fault === undefined) JSON.parse(this.#slice(value));
    return { payload: undefined, members: {}, fault: fault ?? 'invalid_entry' };
  }

  /** The message that stands there; its text is not parsed here. */
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
    // A slice keeps all of the text in memory that it was taken from.
    return this.#text.length > 2 * slice.length + 4096 ? copyOf(slice) : slice;
  }
}

function copyOf(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
