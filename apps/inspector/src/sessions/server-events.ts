import { cutText } from '@proto/core/framing';
import { isTooDeep } from '@proto/core/internal';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { RecordingEntry } from '@proto/recording';

/** Access to a session server: with the token of the account, over the network or within this process. */
export interface ServerAccess {
  /** The address of the server, without a slash at its end. */
  readonly base: string;
  /** The token for the next request; undefined if no token is sent. */
  readonly token: () => Promise<string | undefined>;
  readonly fetch: (url: string, init: RequestInit) => Response | Promise<Response>;
}

const MAX_EXCERPT_LENGTH = 200;
const MAX_EVENT_UNITS = 64 * 2 ** 20;

/** Sends a request to a session server. Rejects with the error of `fetch` if the server does not answer. */
export async function askServer(access: ServerAccess, path: string, init: RequestInit = {}): Promise<Response> {
  const token = await access.token();
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return access.fetch(`${access.base}/v1/code/sessions${path}`, { redirect: 'manual', ...init, headers });
}

/** The reason for a refusal, in the server's words. */
export async function refusalText(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const { message } = Object(Object(body).error) as { readonly message?: unknown };
  return typeof message === 'string' ? message : `the server answered with status ${response.status}`;
}

/** An event of a stream: its entry in the recording, and its position in the log. */
export interface ReadEvent {
  readonly entry: RecordingEntry | undefined;
  readonly cursor: string | undefined;
}

/** Reads the event stream of a session as entries, until the signal aborts. Times are relative to the given moment, in milliseconds since 1970. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  { clock, signal }: { readonly clock: { startedAt: number | undefined }; readonly signal: AbortSignal },
): AsyncGenerator<ReadEvent, void> {
  const decoded = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>, {
    signal,
  });
  const events = decoded.pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_UNITS }));
  for await (const { event = 'message', data, id } of events as unknown as AsyncIterable<StreamedEvent>) {
    yield { entry: entryOf(event, data, clock), cursor: id === '' ? undefined : id };
  }
}

interface StreamedEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

function entryOf(event: string, text: string, clock: { startedAt: number | undefined }): RecordingEntry | undefined {
  const data = parsed(text);
  const { source, created_at: createdAt, payload, verdict } = Object(data) as Readonly<Record<string, unknown>>;
  const made = typeof createdAt === 'string' ? Date.parse(createdAt) : Date.now();
  clock.startedAt ??= made;
  const t = Math.max(0, made - clock.startedAt);
  if (event === 'resume') {
    return verdict === 'gap' ? { t, link: 'up', attempt: 1, resumed: false } : undefined;
  }
  if (event !== 'client_event' && event !== 'ephemeral_event') {
    return { t, notice: event, data: isTooDeep(data) ? cutText(text, MAX_EXCERPT_LENGTH) : data };
  }
  const dir = source === 'worker' ? 'from-agent' : 'from-host';
  if (isTooDeep(payload)) return { t, dir, lost: 'malformed', excerpt: cutText(text, MAX_EXCERPT_LENGTH) };
  return { t, dir, line: JSON.stringify(payload) ?? 'null' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
