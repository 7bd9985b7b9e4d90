import type { Clock } from '@proto/core/reconnect';
import { TransportError } from '@proto/core/transport';
import type { RequestRetries } from '../request-retries.ts';
import { DEFAULT_MAX_POST_BYTES, DEFAULT_MAX_POST_MESSAGES } from '../post-queue.ts';
import { membersOf } from '../session-frames.ts';
import { meaningOfPage } from '../response-status.ts';
import { answerText } from './answer-text.ts';
import { Outbox } from './outbox.ts';
import { report } from './reports.ts';
import type { WorkerLink } from './worker-state.ts';

const MAX_PAGE_BYTES = 256 * 1024 * 1024;

const PAGE_ROWS = 1000;
const TIMEOUT_MS = 30_000;

export interface InternalEventsOptions {
  readonly retries: RequestRetries;
  readonly clock: Clock;
}

/** Rows that only the workers of a session can read. */
export class InternalEvents {
  readonly #options: InternalEventsOptions;
  readonly #outbox: Outbox<string>;

  constructor(options: InternalEventsOptions) {
    this.#options = options;
    this.#outbox = new Outbox({
      retries: options.retries,
      next: fitting,
      request: (rows) =>
        report('/worker/internal-events', () => `"events":[${rows.join()}]`, { timeoutMs: TIMEOUT_MS }),
    });
  }

  get pending(): number {
    return this.#outbox.pending;
  }

  append(type: string, payload: unknown, options: object = {}): void {
    // The server keeps each id once, so a row that is sent again appears once.
    const row = { uuid: crypto.randomUUID(), ...membersOf(payload), type };
    this.#outbox.add(JSON.stringify({ ...options, payload: row }));
  }

  /**
   * Reads rows in the order in which they were appended.
   *
   * @throws {TransportError} if the server keeps no transcripts
   */
  async *read(scope: Parameters<WorkerLink['internalEvents']['read']>[0]): AsyncGenerator<unknown> {
    const { retries, clock } = this.#options;
    for (let cursor: string | undefined; ; ) {
      let text = '';
      const refused = await retries.send({
        path: '/worker/internal-events',
        query: {
          limit: String(PAGE_ROWS),
          ...(scope === 'subagents' && { subagents: 'true' }),
          ...(cursor !== undefined && { cursor }),
        },
        method: 'GET',
        headers: { Accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        meaningOf: meaningOfPage,
        async onAnswer(response, signal) {
          text = await answerText(response, { clock, maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS, signal });
        },
        again: ({ error }) => error.code !== 'too-large',
      });
      if (refused !== undefined) throw refused;
      const { data, next_cursor: next } = pageOf(text);
      yield* data;
      // Without this check, a server that repeats its cursor would keep this loop running forever.
      if (typeof next !== 'string' || next === cursor || data.length === 0) return;
      cursor = next;
    }
  }

  start(): void {
    this.#outbox.start();
  }

  flush(): Promise<void> {
    return this.#outbox.flush();
  }

  fail(error: TransportError): void {
    this.#outbox.fail(error);
  }
}

function fitting(rows: readonly string[]): number {
  let bytes = 0;
  const fits = (row: string, index: number) => (bytes += row.length) <= DEFAULT_MAX_POST_BYTES || index === 0;
  const end = rows.slice(0, DEFAULT_MAX_POST_MESSAGES).findIndex((row, index) => !fits(row, index));
  return end < 0 ? Math.min(rows.length, DEFAULT_MAX_POST_MESSAGES) : end;
}

function pageOf(text: string): { readonly data: readonly unknown[]; readonly next_cursor?: unknown } {
  try {
    const { data, next_cursor } = membersOf(JSON.parse(text));
    if (Array.isArray(data)) return { data, next_cursor };
  } catch {
    // The error is thrown below.
  }
  throw new TransportError('malformed', 'sse: the answer is not a transcript page');
}
