import { parseJson } from '@proto/core/framing';
import { type RecordedExchange, redactedPieces, type Redactor } from '@proto/recording';
import type { RequestKey } from './request-key.ts';

/** The reason that is recorded if a response broke off because the agent disconnected. When the tape is played, such a response stays open. */
export const LEFT = 'left';

type Part = Omit<RecordedExchange, 't' | 'api'>;

export interface ExchangeWriterOptions {
  readonly redactor: Redactor;
  /** Milliseconds since the beginning of the tape. */
  readonly now: () => number;
  readonly write: (entry: RecordedExchange) => void;
}

/** Writes the exchanges between an agent and the Messages API as entries of a recording, without secrets. */
export class ExchangeWriter {
  readonly #options: ExchangeWriterOptions;
  readonly #known = new Set<string>();
  #count = 0;

  constructor(options: ExchangeWriterOptions) {
    this.#options = options;
  }

  begin({ contents, ...key }: RequestKey): Exchange {
    const fresh = [...(contents ?? [])].filter(([id]) => !this.#known.has(id));
    for (const [id] of fresh) this.#known.add(id);
    const exchange = new Exchange(++this.#count, this.#options);
    exchange.request({ part: 'request', ...key, ...(fresh.length > 0 && { fresh: Object.fromEntries(fresh) }) });
    return exchange;
  }
}

// A secret may be streamed in pieces that look harmless individually, so a response is held back until it is complete, up to this length.
const MAX_HELD_LENGTH = 4 * 1024 * 1024;

/** The response is written when it is complete. */
export class Exchange {
  readonly #api: number;
  readonly #options: ExchangeWriterOptions;
  #held: RecordedExchange[] = [];
  #length = 0;

  constructor(api: number, options: ExchangeWriterOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Writes the request immediately. */
  request(part: Part): void {
    this.#options.write({ t: this.#options.now(), api: this.#api, ...part });
  }

  answer(status: number, headers: Readonly<Record<string, string>>): void {
    this.#hold({ part: 'answer', status, headers });
  }

  event(event: string | undefined, data: string): void {
    this.#hold({ part: 'event', ...(event !== undefined && { event }), data });
  }

  body(data: string): void {
    this.#hold({ part: 'body', data });
  }

  /** `failed` is the reason why the response broke off. */
  end(failed?: string): void {
    this.#hold({ part: 'end', ...(failed !== undefined && { failed }) });
    this.#release();
  }

  #hold(part: Part): void {
    this.#held.push({ t: this.#options.now(), api: this.#api, ...part });
    this.#length += part.data?.length ?? 0;
    if (this.#length > MAX_HELD_LENGTH) this.#release();
  }

  #release(): void {
    const { redactor, write } = this.#options;
    const streamed = redactedDeltas(this.#held, redactor);
    for (const entry of this.#held) {
      const data = streamed.get(entry) ?? entry.data;
      if (data === undefined) {
        write(entry);
        continue;
      }
      const line = redactor.line(data);
      const paths = [...new Set([...(data === entry.data ? [] : ['delta']), ...line.redacted])];
      write({ ...entry, data: line.text, ...(paths.length > 0 && { redacted: paths }) });
    }
    this.#held = [];
    this.#length = 0;
  }
}

interface Delta {
  readonly entry: RecordedExchange;
  readonly value: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly text: string;
}

const PIECES = ['text', 'thinking', 'partial_json'];

/** If the pieces in several events together contain a secret, returns the data of these events without the secret. */
function redactedDeltas(
  entries: readonly RecordedExchange[],
  redactor: Redactor,
): ReadonlyMap<RecordedExchange, string> {
  const blocks = new Map<unknown, Delta[]>();
  for (const entry of entries) {
    const delta = deltaOf(entry);
    if (delta !== undefined) blocks.set(delta.value['index'], [...(blocks.get(delta.value['index']) ?? []), delta]);
  }
  const changed = new Map<RecordedExchange, string>();
  for (const deltas of blocks.values()) {
    const pieces = redactedPieces(
      deltas.map(({ text }) => text),
      redactor,
    );
    for (const [index, { entry, value, name, text }] of deltas.entries()) {
      const piece = pieces[index] ?? '';
      if (piece === text) continue;
      const delta = { ...Object(value['delta']), [name]: piece };
      changed.set(entry, JSON.stringify({ ...value, delta }));
    }
  }
  return changed;
}

function deltaOf(entry: RecordedExchange): Delta | undefined {
  if (entry.part !== 'event' || entry.data?.includes('content_block_delta') !== true) return undefined;
  try {
    const value = parseJson(entry.data) as Readonly<Record<string, unknown>>;
    const delta = Object(value['delta']) as Readonly<Record<string, unknown>>;
    const name = PIECES.find((piece) => typeof delta[piece] === 'string');
    return name === undefined ? undefined : { entry, value, name, text: String(delta[name]) };
  } catch {
    return undefined;
  }
}
