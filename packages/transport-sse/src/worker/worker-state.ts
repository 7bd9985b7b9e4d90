import { parseJson } from '@proto/core/framing';
import type { WorkerTransport } from '@proto/core/transport';
import type { Clock } from '@proto/core/reconnect';
import type { RequestRetries, RetriedRequest } from '../request-retries.ts';
import { meaningOfReport } from '../response-status.ts';
import { membersOf } from '../session-frames.ts';
import { Outbox } from './outbox.ts';
import { answerText } from './answer-text.ts';
import { report } from './reports.ts';

export type WorkerLink = WorkerTransport['worker'];

type Members = Readonly<Record<string, unknown>>;

/** The content of a report: only the changed members, or all members for an epoch that has not been reported to the server yet. */
type News = { readonly members: Members } | { readonly epoch: number };

// Clears the pending actions of an earlier worker. Otherwise viewers would show them forever.
const FRESH = { pending_action: null, pending_actions: null, task_summary: null };
const IDLE = { worker_status: 'idle', requires_action_details: null };

/** Each member of a later report replaces the earlier member. */
export class WorkerState implements Pick<WorkerLink, 'reportState' | 'reportMetadata'> {
  readonly #outbox: Outbox<News>;
  #state: Members = IDLE;
  #metadata: Members = {};
  /** Later reports under this epoch contain only the changes. */
  #reportedEpoch: number | undefined;

  constructor(retries: RequestRetries) {
    this.#outbox = new Outbox({
      retries,
      next: ({ length }) => length,
      request: (news) => {
        const isNews = news.some((some) => !('epoch' in some) || some.epoch !== this.#reportedEpoch);
        const members = news.flatMap((some) => ('members' in some ? [some.members] : []));
        return isNews ? this.#put(merged(members)) : undefined;
      },
    });
  }

  get isIdle(): boolean {
    return this.#state['worker_status'] === 'idle';
  }

  get first(): RetriedRequest {
    return this.#put({ worker_status: 'idle', external_metadata: FRESH }, true);
  }

  reportState(state: string, details: object | null = null): void {
    const next = snapshot({ worker_status: state, requires_action_details: details });
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    this.#outbox.add({ members: next });
  }

  reportMetadata(patch: Members): void {
    const external_metadata = snapshot(patch);
    this.#metadata = { ...this.#metadata, ...external_metadata };
    this.#outbox.add({ members: { external_metadata } });
  }

  /** Reports all members again under a new epoch, unless they were already reported under that epoch. */
  repeat(epoch: number): void {
    this.#outbox.add({ epoch });
  }

  start(): void {
    this.#outbox.start();
  }

  flush(): Promise<void> {
    return this.#outbox.flush();
  }

  #put(members: Members, isFirst = false): RetriedRequest {
    let isWhole = false;
    return report(
      '/worker',
      ({ epoch }) => {
        isWhole ||= epoch !== this.#reportedEpoch && !isFirst;
        this.#reportedEpoch = epoch;
        const changes = isWhole ? merged([this.#state, { external_metadata: this.#metadata }]) : members;
        return JSON.stringify(changes).slice(1, -1);
      },
      { method: 'PUT' },
    );
  }
}

function merged(news: readonly Members[]): Members {
  const metadata = news.map(({ external_metadata }) => external_metadata);
  const external = Object.assign({}, ...metadata) as object;
  const { external_metadata: _, ...state } = Object.assign({}, ...news) as Members;
  return { ...state, ...(Object.keys(external).length > 0 && { external_metadata: external }) };
}

/** Returns a copy, because the caller may change the object before it is sent. */
function snapshot(members: Members): Members {
  return JSON.parse(JSON.stringify(members)) as Members;
}

const RESTORE_TIMEOUT_MS = 10_000;
const MAX_STATE_BYTES = 16 * 1024 * 1024;

/** Returns `null` if no metadata was stored, or if none arrives within 10 s. */
export async function restoreMetadata(
  retries: RequestRetries,
  clock: Clock,
  whileOpening: (mostMs: number) => Pick<RetriedRequest, 'opening' | 'again'>,
): Promise<Members | null> {
  let text = '';
  try {
    await retries.send({
      path: '/worker',
      method: 'GET',
      headers: { Accept: 'application/json' },
      timeoutMs: RESTORE_TIMEOUT_MS,
      meaningOf: meaningOfReport,
      async onAnswer(response, signal) {
        text = await answerText(response, { clock, maxBytes: MAX_STATE_BYTES, timeoutMs: RESTORE_TIMEOUT_MS, signal });
      },
      ...whileOpening(RESTORE_TIMEOUT_MS),
    });
    const { external_metadata: metadata } = membersOf(membersOf(parseJson(text))['worker']);
    return Object.keys(membersOf(metadata)).length > 0 ? membersOf(metadata) : null;
  } catch {
    return null;
  }
}
