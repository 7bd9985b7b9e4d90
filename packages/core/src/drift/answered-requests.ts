import * as z from 'zod/mini';
import { memberOf } from '../messages/find-kind.ts';
import { controlRequests, controlResponses } from '../schemas/control/requests.ts';

const answers: Readonly<Record<string, z.ZodMiniType>> = controlResponses;
// The answer to a request without a declared answer is an acknowledgement.
const anything = z.looseObject({});

// A limit, so that requests without an answer do not pile up.
const MAX_OPEN = 10_000;

/** Remembers the requests of a stream, to know the schemas of their answers. */
export class AnsweredRequests {
  readonly #open = new Map<string, string>();

  /** Takes any message. Returns the payload of an answer and its schema, if the request was seen and its answer has a schema. */
  follow(message: object): { readonly payload: unknown; readonly schema: z.ZodMiniType } | undefined {
    const { type, request_id: id, request, response } = message as Readonly<Record<string, unknown>>;
    if (type === 'control_request') this.#ask(id, memberOf(request, 'subtype'));
    if (type !== 'control_response' || memberOf(response, 'subtype') !== 'success') return undefined;
    const subtype = this.#answer(memberOf(response, 'request_id'));
    const payload = memberOf(response, 'response');
    if (subtype === undefined || payload === undefined || !Object.hasOwn(controlRequests, subtype)) return undefined;
    return { payload, schema: answers[subtype] ?? anything };
  }

  #ask(id: unknown, subtype: unknown): void {
    if (typeof id !== 'string' || typeof subtype !== 'string' || this.#open.size >= MAX_OPEN) return;
    const other = this.#open.get(id);
    // Each side chooses its own ids. When both use one id, an answer cannot be told apart.
    this.#open.set(id, other === undefined || other === subtype ? subtype : '');
  }

  #answer(id: unknown): string | undefined {
    if (typeof id !== 'string') return undefined;
    const subtype = this.#open.get(id);
    this.#open.delete(id);
    return subtype;
  }
}
