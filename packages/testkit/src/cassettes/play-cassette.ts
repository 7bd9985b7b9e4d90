import { createRedactor, parseRecording, type RecordedExchange, type Recording } from '@proto/recording';
import { serveOnLoopback } from '../loopback-server.ts';
import { isSideRequest, type RequestKey, requestKey } from './request-key.ts';

/** A request that the tape has no answer to. */
export interface CassetteMiss {
  /** Counted from 1 among the requests for messages. */
  readonly number: number;
  /** What was asked, and where it differs from the nearest request of the tape. */
  readonly message: string;
}

/** A tape that answers as the Messages API did when it was recorded. */
export interface CassettePlayer extends AsyncDisposable {
  /** The variables that lead the agent to the tape, with a key that opens nothing. Add them to the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly recording: Recording;
  /** The requests without an answer so far. */
  readonly misses: readonly CassetteMiss[];
  /** How many recorded answers to requests for messages were not asked for yet. */
  readonly unused: number;
  close(): Promise<void>;
}

/** An exchange of a tape. */
interface TapedExchange {
  readonly request: RecordedExchange;
  readonly parts: readonly RecordedExchange[];
}

/** The variables of an agent that uses nothing but its tape. */
const OFFLINE = {
  ANTHROPIC_API_KEY: 'cassette',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
};

/**
 * Plays the answers of a cassette on a free port of 127.0.0.1. Each answer is given to the request for which it was recorded: the same model and the
 * same messages, whatever ids and times they have, in any order. Any other request gets status 400 and a text that says where it differs.
 * @throws {TransportError} `malformed`: the text is no recording.
 */
export async function playCassette(text: string): Promise<CassettePlayer> {
  const recording = parseRecording(text);
  const tape = new Tape(exchangesOf(recording));
  const redactor = createRedactor();
  const server = await serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url);
    const key = requestKey(request.method, pathname, await request.text(), (part) => redactor.text(part));
    return tape.answer(key);
  });
  return {
    env: { ...OFFLINE, ANTHROPIC_BASE_URL: server.url },
    recording,
    misses: tape.misses,
    get unused() {
      return tape.unused;
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function exchangesOf({ entries }: Recording): readonly TapedExchange[] {
  const exchanges = new Map<number, { request: RecordedExchange; parts: RecordedExchange[] }>();
  for (const entry of entries) {
    if (!('api' in entry)) continue;
    if (entry.part === 'request') exchanges.set(entry.api, { request: entry, parts: [] });
    else exchanges.get(entry.api)?.parts.push(entry);
  }
  return [...exchanges.values()];
}

class Tape {
  readonly misses: CassetteMiss[] = [];
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

  get unused(): number {
    return this.#exchanges.filter((one) => !isSideRequest(keyOf(one)) && !this.#used.has(one)).length;
  }

  answer(key: RequestKey): Response {
    const isSide = isSideRequest(key);
    if (!isSide) this.#asked++;
    const same = this.#exchanges.filter((one) => isSame(keyOf(one), key));
    // A request beside the conversation may come more often than it did.
    const found = same.find((one) => !this.#used.has(one)) ?? (isSide ? same.at(-1) : undefined);
    if (found === undefined) return this.#miss(key, same.length > 0, isSide);
    this.#used.add(found);
    return responseOf(found);
  }

  #miss(key: RequestKey, isRepeated: boolean, isSide: boolean): Response {
    const asked = `${key.method} ${key.path}`;
    const message = isRepeated
      ? `cassette: ${asked} was recorded, and comes once more often now`
      : `cassette: the tape has no answer to ${asked}${key.messages === undefined ? '' : this.#whereItDiffers(key)}`;
    if (!isSide) this.misses.push({ number: this.#asked, message });
    const error = { type: 'invalid_request_error', message };
    return Response.json({ type: 'error', error }, { status: isSide ? 404 : 400 });
  }

  /** Compares with the recorded request that has the longest common beginning. */
  #whereItDiffers({ messages = [], contents, model }: RequestKey): string {
    let nearest: readonly string[] = [];
    let same = -1;
    for (const { request } of this.#exchanges) {
      const recorded = request.messages ?? [];
      const common = messages.findIndex((key, index) => key !== recorded[index]);
      const length = common === -1 ? messages.length : common;
      if (length > same) [nearest, same] = [recorded, length];
    }
    const [expected, found] = [this.#contents.get(nearest[same] ?? ''), contents?.get(messages[same] ?? '')];
    const about = `: ${messages.length} messages for ${model ?? 'no model'}`;
    if (same === messages.length) return `${about}. The nearest request goes on with ${shown(expected)}`;
    return `${about}. Message ${same + 1} differs from the nearest request: recorded ${shown(expected)}, now ${shown(found)}`;
  }
}

const MAX_SHOWN_LENGTH = 300;

function shown(message: unknown): string {
  const text = message === undefined ? 'nothing' : JSON.stringify(message);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function keyOf({ request }: TapedExchange): RequestKey {
  const { method = '', path = '', model, maxTokens, messages } = request;
  return {
    method,
    path,
    ...(model !== undefined && { model }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(messages !== undefined && { messages }),
  };
}

function isSame(recorded: RequestKey, live: RequestKey): boolean {
  const { method, path, model, messages = [] } = recorded;
  if (method !== live.method || path !== live.path || model !== live.model) return false;
  return (
    messages.length === (live.messages ?? []).length && messages.every((key, index) => key === live.messages?.[index])
  );
}

function responseOf({ parts }: TapedExchange): Response {
  const answer = parts.find(({ part }) => part === 'answer');
  const end = parts.find(({ part }) => part === 'end');
  // The agent saw a broken connection then, and sees one now.
  if (answer === undefined || end?.failed !== undefined)
    throw new Error(`cassette: the answer broke off: ${end?.failed}`);
  const { status = 200, headers = {} } = answer;
  const isEmpty = [101, 204, 205, 304].includes(status);
  const text = parts
    .filter(({ data }) => data !== undefined)
    .map(({ part, event, data }) =>
      part === 'event' ? `${event === undefined ? '' : `event: ${event}\n`}${dataLines(data)}\n` : data,
    )
    .join('');
  return new Response(isEmpty ? null : text, { status, headers });
}

function dataLines(data = ''): string {
  return data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('');
}
