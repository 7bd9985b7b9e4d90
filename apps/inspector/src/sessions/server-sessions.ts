import type { InspectedSessions, ListedSession } from '../server/inspected-sessions.ts';
import type { InspectedSession } from './inspected-session.ts';
import { askServer, refusalText, type ServerAccess } from './server-events.ts';
import { FirstPrompts } from './first-prompts.ts';
import { ServerSession } from './server-session.ts';

/** The server, the sessions to show, and the rights of the account. */
export interface ServerSessionsOptions extends ServerAccess {
  /** The name of the account, for limits. */
  readonly account?: string | undefined;
  /** The only session to show; undefined for all sessions that the account may read. */
  readonly only?: string | undefined;
  /** Whether the account may send anything. Default true, because the server refuses what the account may not send. */
  readonly maySend?: boolean;
  /** Whether the token still belongs to the account. Default: always true. */
  readonly isCurrent?: () => Promise<boolean>;
}

// The limit is needed because an account could open every session of a server.
const MAX_OPEN = 20;
const IDLE_MS = 60_000;
// How long the server's answer about the right to read is reused.
const CHECKED_MS = 2000;
const MAX_LISTED = 100;
// The statuses for a session that this account may not read, or that no longer exists.
const IS_REFUSAL = [400, 401, 403, 404, 410];
const IS_ID = /^[\w-]{1,200}$/;

interface OpenSession {
  readonly session: ServerSession;
  usedAt: number;
  checkedAt: number;
}

/** The sessions on a server that an account may read. The server decides about every request, so the page has the rights of the account. */
export class ServerSessions implements InspectedSessions {
  readonly account: string | undefined;
  readonly #options: ServerSessionsOptions;
  readonly #open = new Map<string, OpenSession>();
  readonly #prompts: FirstPrompts;
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: ServerSessionsOptions) {
    this.#options = options;
    this.#prompts = new FirstPrompts(options);
    this.account = options.account;
    this.#timer = setInterval(() => this.#closeIdle(), IDLE_MS / 2).unref();
  }

  async isCurrent(): Promise<boolean> {
    return !this.#isClosed && ((await this.#options.isCurrent?.()) ?? true);
  }

  /** Lists the sessions. Rejects if the server refuses the request or does not answer. */
  async list(): Promise<readonly ListedSession[]> {
    const { only } = this.#options;
    if (only !== undefined) return [{ id: only, name: only }];
    const response = await askServer(this.#options, `?limit=${MAX_LISTED}`);
    if (!response.ok) throw new Error(await refusalText(response));
    const { data } = Object(await response.json()) as { readonly data?: unknown };
    const found: readonly Readonly<Record<string, unknown>>[] = Array.isArray(data) ? data : [];
    const prompts = await this.#prompts.of(found.map(({ id }) => String(id)));
    return found.map((listed) => ({
      id: String(listed['id']),
      prompt: prompts.get(String(listed['id'])),
      state: stateOf(listed),
      name: typeof listed['title'] === 'string' ? listed['title'] : '',
      createdAt: Date.parse(String(listed['created_at'])),
      openRequests: Number(listed['open_requests'] ?? 0),
    }));
  }

  async open(id: string): Promise<InspectedSession | undefined> {
    const { only } = this.#options;
    if (this.#isClosed || !IS_ID.test(id) || (only !== undefined && id !== only)) return undefined;
    const now = performance.now();
    const known = this.#open.get(id);
    if (known !== undefined && now - known.checkedAt < CHECKED_MS) {
      known.usedAt = now;
      return known.session;
    }
    if (!(await this.#mayRead(id))) {
      this.#close(id);
      return undefined;
    }
    // A request that began before the end must not open a session that would never be closed.
    if (this.#isClosed) return undefined;
    const found = this.#open.get(id) ?? this.#add(id);
    Object.assign(found, { usedAt: now, checkedAt: now });
    return found.session;
  }

  /** Closes all open sessions. No session can be opened after that. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const id of this.#open.keys()) this.#close(id);
  }

  #add(id: string): OpenSession {
    const { maySend = true } = this.#options;
    const found = { session: new ServerSession(this.#options, id, maySend), usedAt: 0, checkedAt: 0 };
    this.#open.set(id, found);
    const [longest] = [...this.#open]
      .toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
      .filter(([other]) => other !== id);
    if (this.#open.size > MAX_OPEN && longest !== undefined) this.#close(longest[0]);
    return found;
  }

  /**
   * Asks the server whether the account may read a session. If the server cannot be reached or is busy, access to an open session is still allowed,
   * so that a page survives a server restart.
   */
  async #mayRead(id: string): Promise<boolean> {
    const response = await askServer(this.#options, `/${id}`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return true;
    return this.#open.has(id) && (response === undefined || !IS_REFUSAL.includes(response.status));
  }

  #closeIdle(): void {
    const before = performance.now() - IDLE_MS;
    for (const [id, { session, usedAt }] of this.#open) if (session.watchers === 0 && usedAt < before) this.#close(id);
  }

  #close(id: string): void {
    this.#open.get(id)?.session.close();
    this.#open.delete(id);
  }
}

function stateOf({ archived, worker_status: status }: Readonly<Record<string, unknown>>): string {
  if (archived === true) return 'archived';
  return typeof status === 'string' ? status : 'no agent';
}
