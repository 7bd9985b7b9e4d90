import { isSideRequest, type RequestKey } from './request-key.ts';
import { keyOf, responseOf, type TapedExchange } from './taped-exchange.ts';

/** A request for which the tape has no answer. */
export interface CassetteMiss {
  /** The number of the request, counted from 1 among the requests for messages. */
  readonly number: number;
  /** Describes the request, and how it differs from the most similar request on the tape. */
  readonly message: string;
}

/** Each recorded response to a message request is returned at most once. */
export class ApiTape {
  readonly misses: CassetteMiss[] = [];
  /** `isMiss` is `true` if the tape has no answer. */
  onRequest: ((isMiss: boolean) => void) | undefined;
  readonly #exchanges: readonly TapedExchange[];
  readonly #used = new Set<TapedExchange>();
  readonly #contents = new Map<string, unknown>();
  #asked = 0;

  constructor(exchanges: readonly TapedExchange[]) {
    this.#exchanges = exchanges;
    for (const { request } of exchanges) {
      for (const [key, content] of Object.entries(request.fresh ?? {})) this.#contents.set(key, content);
    }
  }

  /** The number of recorded message requests that have not been made. */
  get unused(): number {
    return this.#exchanges.filter((one) => !isSideRequest(keyOf(one)) && !this.#used.has(one)).length;
  }

  answer(key: RequestKey, signal: AbortSignal): Promise<Response> | Response {
    const isSide = isSideRequest(key);
    if (!isSide) this.#asked++;
    const same = this.#exchanges.filter((one) => isSame(keyOf(one), key));
    // A request that is not part of the conversation may be made more often than in the recording.
    const found = same.find((one) => !this.#used.has(one)) ?? (isSide ? same.at(-1) : undefined);
    const response = found === undefined ? this.#miss(key, same.length > 0, isSide) : responseOf(found, signal);
    if (found !== undefined) this.#used.add(found);
    this.onRequest?.(found === undefined && !isSide);
    return response;
  }

  #miss(key: RequestKey, isRepeated: boolean, isSide: boolean): Response {
    const asked = `${key.method} ${key.path}`;
    const message = isRepeated
      ? `cassette: ${asked} was recorded, but the agent now sends it more often`
      : `cassette: the tape has no answer to ${asked}${key.messages === undefined ? '' : this.#whereItDiffers(key)}`;
    if (!isSide) this.misses.push({ number: this.#asked, message });
    const error = { type: 'invalid_request_error', message };
    return Response.json({ type: 'error', error }, { status: isSide ? 404 : 400 });
  }

  #whereItDiffers({ messages = [], contents, model }: RequestKey): string {
    const about = `: ${messages.length} messages for ${model ?? 'no model'}`;
    const nearest = nearestTo({ messages, model }, this.#exchanges);
    const same = commonLength(messages, nearest?.messages ?? []);
    if (nearest === undefined) return `${about}. The tape contains no requests to the Messages API`;
    const name = `exchange ${nearest.api}`;
    const next = nearest.messages?.[same];
    if (same === messages.length && next === undefined)
      return `${about}. ${name} differs only in its model, which is ${nearest.model}`;
    const [expected, found] = shown(this.#contents.get(next ?? ''), contents?.get(messages[same] ?? ''));
    if (same === messages.length) return `${about}. The nearest request, ${name}, continues with ${expected}`;
    return `${about}. Message ${same + 1} differs from the nearest request, ${name}: recorded ${expected}, now ${found}`;
  }
}

/**
 * Returns the recorded request that shares the longest beginning with the given request. Among several such requests, a request of similar length is
 * preferred, and then a request for the same model.
 */
function nearestTo(
  { messages, model }: { readonly messages: readonly string[]; readonly model: string | undefined },
  exchanges: readonly TapedExchange[],
): TapedExchange['request'] | undefined {
  const distances = exchanges.flatMap(({ request }) =>
    request.messages === undefined
      ? []
      : [
          {
            request,
            beyond: -commonLength(messages, request.messages),
            length: Math.abs(messages.length - request.messages.length),
            model: request.model === model ? 0 : 1,
          },
        ],
  );
  return distances.toSorted((a, b) => a.beyond - b.beyond || a.length - b.length || a.model - b.model)[0]?.request;
}

function commonLength(messages: readonly string[], others: readonly string[]): number {
  const differs = messages.findIndex((key, index) => key !== others[index]);
  return differs === -1 ? messages.length : differs;
}

const MAX_SHOWN_LENGTH = 300;
const LENGTH_BEFORE_DIFFERENCE = 80;

/** Returns two messages as texts, shortened so that the first difference is visible. */
function shown(expected: unknown, found: unknown): readonly [string, string] {
  const [a, b] = [textOf(expected), textOf(found)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const isLong = Math.max(a.length, b.length) > MAX_SHOWN_LENGTH;
  const from = isLong ? Math.max(0, same - LENGTH_BEFORE_DIFFERENCE) : 0;
  const cut = (text: string) => {
    const rest = text.slice(from, from + MAX_SHOWN_LENGTH);
    return `${from > 0 ? '…' : ''}${rest}${from + rest.length < text.length ? '…' : ''}`;
  };
  return [cut(a), cut(b)];
}

function textOf(message: unknown): string {
  return message === undefined ? 'nothing' : JSON.stringify(message);
}

function isSame(recorded: RequestKey, live: RequestKey): boolean {
  const { method, path, model, messages = [] } = recorded;
  if (method !== live.method || path !== live.path || model !== live.model) return false;
  return (
    messages.length === (live.messages ?? []).length && messages.every((key, index) => key === live.messages?.[index])
  );
}
