import * as z from 'zod/mini';
import { type Direction, memberOf } from '../messages/find-kind.ts';
import { controlRequests, controlResponses } from '../schemas/control/requests.ts';

const answers: Readonly<Record<string, z.ZodMiniType>> = controlResponses;
// If no answer is declared for a request, its answer is an acknowledgement.
const anything = z.looseObject({});

// Limited, so that unanswered requests do not accumulate.
const MAX_OPEN = 10_000;
const ASKERS: readonly Direction[] = ['from-agent', 'from-host'];

/** Remembers the requests in a stream, to find the schemas of their answers. */
export class AnsweredRequests {
  /** By the side that sent the requests. Each side chooses its own ids, so both sides may use the same id. */
  readonly #open = { 'from-agent': new Map<string, string>(), 'from-host': new Map<string, string>() };

  /**
   * `writer` may be `undefined` for an answer. For an answer, returns its payload and its schema, if the request was seen and its answer has a
   * schema.
   */
  follow(
    message: object,
    writer: Direction | undefined,
  ): { readonly payload: unknown; readonly schema: z.ZodMiniType } | undefined {
    const { type, request_id: id, request, response } = message as Readonly<Record<string, unknown>>;
    if (type === 'control_request') this.#ask(writer ?? 'from-agent', id, memberOf(request, 'subtype'));
    if (type !== 'control_response' || memberOf(response, 'subtype') !== 'success') return undefined;
    const subtype = this.#answer(writer, memberOf(response, 'request_id'));
    const payload = memberOf(response, 'response');
    if (subtype === undefined || payload === undefined || !Object.hasOwn(controlRequests, subtype)) return undefined;
    return { payload, schema: answers[subtype] ?? anything };
  }

  #ask(writer: Direction, id: unknown, subtype: unknown): void {
    const open = this.#open[writer];
    if (typeof id === 'string' && typeof subtype === 'string' && open.size < MAX_OPEN) open.set(id, subtype);
  }

  #answer(writer: Direction | undefined, id: unknown): string | undefined {
    if (typeof id !== 'string') return undefined;
    const askers = ASKERS.filter((asker) => asker !== writer && this.#open[asker].has(id));
    const [asker] = askers;
    if (asker === undefined) return undefined;
    const subtype = this.#open[asker].get(id);
    for (const each of askers) this.#open[each].delete(id);
    // The answer may belong to either request.
    return askers.length === 1 ? subtype : undefined;
  }
}
