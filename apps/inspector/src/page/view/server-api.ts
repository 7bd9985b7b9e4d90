/** A session in the list of the server. */
export interface ServerSession {
  readonly id: string;
  readonly name: string;
  readonly prompt?: string;
  readonly state?: string;
  readonly createdAt?: number;
  readonly openRequests?: number;
}

/** What is shown: a session on the server, or a file on this machine. */
export type Opened =
  | { readonly kind: 'session'; readonly session: ServerSession }
  | { readonly kind: 'file'; readonly file: File };

export interface ServerState {
  readonly bytes: number;
  readonly isEnded: boolean;
  readonly trouble?: string;
  readonly held: readonly ('from-host' | 'from-agent')[];
  readonly rights: { readonly send: boolean; readonly hold: boolean };
}

/** Thrown if the server refuses a request or does not answer. `status` is 0 if the server does not answer. */
export class ServerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function request(path: string, body?: object): Promise<Record<string, unknown>> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(path, init ?? {}).catch(() => {
    throw new ServerError(0, 'The server of this page does not answer. The command may have ended.');
  });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer;
  const { message } = Object(answer['error']) as { readonly message?: string };
  throw new ServerError(response.status, message ?? `The server answered ${response.status}.`);
}

/** Exchanges the ticket of the link, or a token, for a cookie. */
export const enter = (secret: { readonly ticket: string } | { readonly token: string }) => request('/ui/enter', secret);

export const listSessions = async () => (await request('/ui/sessions'))['sessions'] as readonly ServerSession[];

export const newTicket = async () => String((await request('/ui/tickets', {}))['ticket']);

/** The absolute address of the recording of a session. A worker cannot resolve a relative address. */
export const recordingUrl = (id: string) =>
  new URL(`/ui/sessions/${encodeURIComponent(id)}/recording`, location.origin).href;

export const act = (id: string, action: object) => request(`/ui/sessions/${encodeURIComponent(id)}/actions`, action);

/** Removes the ticket from the address, so that it does not stay in the browser history. */
export function takeTicket(): string | undefined {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(undefined, '', location.pathname);
  return ticket ?? undefined;
}

const REOPEN_MS = 3000;

/** Follows the state of a session. Returns the function that stops following. */
export function followState(
  id: string,
  onState: (state: ServerState) => void,
  onLink: (isUp: boolean) => void,
): () => void {
  let events: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    events = new EventSource(`/ui/sessions/${encodeURIComponent(id)}/live`);
    events.addEventListener('state', ({ data }: MessageEvent<string>) => {
      onLink(true);
      onState(JSON.parse(data) as ServerState);
    });
    events.onerror = () => {
      onLink(false);
      // A browser reconnects after the connection breaks, but gives up after a refusal. A starting server may refuse, so another attempt is made
      // here.
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    events.close();
  };
}
