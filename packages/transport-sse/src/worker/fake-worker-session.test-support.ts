import { answer, type FakeEvent, FakeSession } from '../fake-session.test-support.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';

type Members = Record<string, unknown>;

interface Row {
  readonly payload: Members & { readonly uuid: string; readonly type: string };
  readonly session_agent_id?: string;
}

export class FakeWorkerSession extends FakeSession {
  /** A worker that registers gets the next epoch. */
  epoch = 0;
  metadata: Members = {};
  readonly puts: Members[] = [];
  readonly updates: { readonly event_id: string; readonly status: string }[] = [];
  readonly live: Members[] = [];
  readonly rows: Row[] = [];
  /** The numbers of events, updates or rows in each POST, by path. */
  readonly batches: Record<string, number[]> = {};
  pageRows = 100;
  heartbeats = 0;
  advice: object = {};
  conflict = 'superseded_by_worker';

  ask(message: object, uuid: string = crypto.randomUUID()): void {
    this.append(
      JSON.stringify({ uuid, ...message }),
      uuid,
      'client',
      'type' in message ? String(message.type) : 'user',
    );
  }

  sendEphemeral(data: object): void {
    this.write(`event: ephemeral_event\ndata: ${JSON.stringify(data)}\n\n`);
  }

  protected override shows({ source }: FakeEvent): boolean {
    return source !== 'worker';
  }

  protected override serve(request: HttpRequest, url: URL): HttpResponse {
    const path = url.pathname.slice(url.pathname.indexOf('/worker') + '/worker'.length);
    if (request.method === 'GET') return this.#get(path, request, url);
    const body = JSON.parse(request.body ?? '{}') as Members & { readonly events?: readonly Members[] };
    if (path === '/register') return answer(200, {}, { worker_epoch: String(++this.epoch) });
    if (body['worker_epoch'] !== this.epoch) return answer(409, { 'x-ccr-conflict-reason': this.conflict });
    const { worker_epoch: _, ...members } = body;
    const listed = (members['events'] ?? members['updates'] ?? []) as unknown[];
    (this.batches[path] ??= []).push(listed.length);
    if (path === '') this.puts.push(members);
    if (path === '/events') for (const event of body.events ?? []) this.#store(event);
    if (path === '/events/delivery') this.updates.push(...(members['updates'] as typeof this.updates));
    if (path === '/internal-events') for (const row of body.events ?? []) this.#keep(row as unknown as Row);
    if (path === '/heartbeat') this.heartbeats++;
    return answer(200, {}, path === '/heartbeat' ? this.advice : {});
  }

  #get(path: string, request: HttpRequest, url: URL): HttpResponse {
    if (path === '/events/stream') return this.open(request);
    if (path === '') return answer(200, {}, { worker: { external_metadata: this.metadata } });
    const subagents = url.searchParams.get('subagents') === 'true';
    const rows = this.rows.filter(({ session_agent_id: agent }) => (agent !== undefined) === subagents);
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const data = rows.slice(from, from + this.pageRows).map((row) => ({ ...row, event_id: row.payload.uuid }));
    const next = from + data.length;
    return answer(200, {}, { data, ...(next < rows.length && { next_cursor: String(next) }) });
  }

  #store({ payload, ephemeral }: Members): void {
    const { uuid, type } = payload as { readonly uuid: string; readonly type: string };
    if (ephemeral === true) this.live.push(payload as Members);
    else this.append(JSON.stringify(payload), uuid, 'worker', type);
  }

  #keep(row: Row): void {
    if (!this.rows.some(({ payload }) => payload.uuid === row.payload.uuid)) this.rows.push(row);
  }
}
