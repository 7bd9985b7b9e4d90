import { member, type Message } from '../session-log.ts';
import { sorted } from './messages/stream-rules.ts';
import { countWhile } from '../../positions.ts';

interface Call {
  readonly id: unknown;
  readonly name: string;
  readonly input: unknown;
  readonly races: readonly unknown[];
  readonly result: unknown;
}

/** The calls of a session. Finds the one that a `PermissionRequest` hook is about. */
export class OpenCalls<Of extends Call> {
  readonly #calls = new Map<unknown, Of>();
  /** The order of the ids. */
  readonly #places = new Map<unknown, number>();
  /** The calls of a tool, and the calls of a tool with an input. */
  readonly #candidates = new Map<string, Candidates<Of>>();

  all(): readonly Of[] {
    return [...this.#calls.values()];
  }

  get(id: unknown): Of | undefined {
    return this.#calls.get(id);
  }

  add(call: Of): void {
    this.#calls.set(call.id, call);
    const place = this.#places.get(call.id) ?? this.#places.size;
    this.#places.set(call.id, place);
    for (const key of [keyOf(call.name), keyOf(call.name, call.input)]) {
      const candidates = this.#candidates.get(key) ?? new Candidates<Of>(({ id }) => this.#calls.get(id));
      this.#candidates.set(key, candidates);
      candidates.add(call, place);
    }
  }

  /**
   * Returns the call for which a `PermissionRequest` hook was called. The hook's `tool_use_id` might not be the id of a call, so calls with another
   * input are left out. Of several calls that are open at the same time, those that have no such hook yet come first.
   */
  ofHook(message: Message): Of | undefined {
    const name = member(message, 'request', 'input', 'tool_name');
    if (typeof name !== 'string') return undefined;
    const same = this.#candidates.get(keyOf(name, member(message, 'request', 'input', 'tool_input')));
    return same?.first() ?? same?.last() ?? this.#candidates.get(keyOf(name))?.last();
  }
}

function keyOf(name: string, ...input: readonly unknown[]): string {
  return JSON.stringify([name, ...input.map(sorted)]);
}

/** Calls in the order of their ids. The calls that no hook can be about any more are not looked at again. */
class Candidates<Of extends Call> {
  readonly #presentOf: (call: Of) => Of | undefined;
  readonly #list: { readonly call: Of; readonly place: number }[] = [];
  #past = 0;

  constructor(presentOf: (call: Of) => Of | undefined) {
    this.#presentOf = presentOf;
  }

  add(call: Of, place: number): void {
    const at = countWhile(this.#list, (each) => each.place <= place);
    this.#list.splice(at, 0, { call, place });
    this.#past = Math.min(this.#past, at);
  }

  /** The first open call without a hook. */
  first(): Of | undefined {
    for (let call = this.#list[this.#past]?.call; call !== undefined; call = this.#list[(this.#past += 1)]?.call)
      if (this.#isOpen(call) && call.races.length === 0) return call;
    return undefined;
  }

  /** The last open call. */
  last(): Of | undefined {
    for (let call = this.#list.at(-1)?.call; call !== undefined; call = this.#list.at(-1)?.call) {
      if (this.#isOpen(call)) return call;
      this.#list.pop();
    }
    return undefined;
  }

  #isOpen(call: Of): boolean {
    return call.result === undefined && this.#presentOf(call) === call;
  }
}
