import { type Call, keyOfCall } from '../calls.ts';
import { sorted } from '../messages/stream-rules.ts';
import { byKeys } from '../../../by-keys.ts';
import { countWhile } from '../../../positions.ts';
import { Spans } from '../spans.ts';

/** Finds calls by their names and inputs. */
export class CallsByInput {
  readonly #groups: ReadonlyMap<string, Group>;

  /** `inputsOf` returns the inputs by which a call is found. */
  constructor(calls: readonly Call[], inputsOf: (call: Call) => readonly unknown[]) {
    const keysOf = (call: Call) => inputsOf(call).map((input) => keyOfCall(call.name, sorted(input)));
    this.#groups = new Map([...byKeys(calls, keysOf)].map(([key, group]) => [key, new Group(group)]));
  }

  /** Returns the calls that were made before a position and have no result at another one. Of more than two such calls, only two are returned. */
  openAt(name: string, input: unknown, before: number, at: number): readonly Call[] {
    return this.#groupOf(name, input)?.spans.across(before, at) ?? [];
  }

  /** Returns the last call that was made before a position. */
  lastBefore(name: string, input: unknown, before: number): Call | undefined {
    return this.#groupOf(name, input)?.lastBefore(before);
  }

  #groupOf(name: string, input: unknown): Group | undefined {
    return this.#groups.get(keyOfCall(name, sorted(input)));
  }
}

class Group {
  readonly spans: Spans<Call>;
  /** The calls by their positions, each with the last of the calls up to it. A call whose id is used again keeps its place among the calls. */
  readonly #calls: readonly { readonly at: number; readonly last: Call }[];

  constructor(calls: readonly Call[]) {
    this.spans = new Spans(calls.map((call) => ({ from: call.at, until: call.resultAt ?? Infinity, item: call })));
    let last = { call: calls[0] as Call, place: -1 };
    this.#calls = calls
      .map((call, place) => ({ call, place }))
      .toSorted((a, b) => a.call.at - b.call.at)
      .map((each) => {
        if (each.place > last.place) last = each;
        return { at: each.call.at, last: last.call };
      });
  }

  lastBefore(before: number): Call | undefined {
    return this.#calls[countWhile(this.#calls, ({ at }) => at < before) - 1]?.last;
  }
}
