import type { WorkerLink } from '@proto/core/internal';
import type { RequestRetries, RetriedRequest } from '../request-retries.ts';
import { Outbox } from './outbox.ts';
import { report } from './report.ts';

type Members = Readonly<Record<string, unknown>>;

/** What is new: members, or that there is an attachment which was told nothing. */
type News = { readonly members: Members } | { readonly epoch: number };

// What an earlier worker was waiting for is over, and with an old one viewers would show it for ever.
const FRESH = { pending_action: null, pending_actions: null, task_summary: null };
const IDLE = { worker_status: 'idle', requires_action_details: null };

/** What a session shows of its worker: what it does, and metadata. Later news replaces earlier, by member. */
export class WorkerState implements Pick<WorkerLink, 'reportState' | 'reportMetadata'> {
  readonly #outbox: Outbox<News>;
  #state: Members = IDLE;
  #metadata: Members = {};
  /** The attachment that was told all there is; what follows under the same one is news. */
  #told: number | undefined;

  constructor(retries: RequestRetries) {
    this.#outbox = new Outbox({
      retries,
      next: ({ length }) => length,
      request: (news) => {
        const isNews = news.some((some) => !('epoch' in some) || some.epoch !== this.#told);
        const members = news.flatMap((some) => ('members' in some ? [some.members] : []));
        return isNews ? this.#put(merged(members)) : undefined;
      },
    });
  }

  get isIdle(): boolean {
    return this.#state['worker_status'] === 'idle';
  }

  /** What begins an attachment. */
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

  /** There is a new attachment, which is told all of it, unless it was by now. */
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
        isWhole ||= epoch !== this.#told && !isFirst;
        this.#told = epoch;
        const told = isWhole ? merged([this.#state, { external_metadata: this.#metadata }]) : members;
        return JSON.stringify(told).slice(1, -1);
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

/** As it is now: what it is made of may change before it is sent. */
function snapshot(members: Members): Members {
  return JSON.parse(JSON.stringify(members)) as Members;
}
