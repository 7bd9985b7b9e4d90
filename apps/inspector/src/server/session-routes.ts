import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type InspectedSession, type SessionAction, SessionActionError } from '../sessions/inspected-session.ts';
import { bodyOf, fail, type InspectorTypes } from './answers.ts';

/** The maximum size of a range. If a longer range is requested, only its beginning is returned. */
const MAX_RANGE_BYTES = 4 * 2 ** 20;
const MAX_STREAMS_PER_SESSION = 20;
const MIN_STATE_INTERVAL_MS = 100;
const KEEP_ALIVE_MS = 15_000;

/** Creates the routes of sessions: the recording by range, the changing state, and actions. */
export function sessionRoutes(): Hono<InspectorTypes> {
  const streams = new WeakMap<InspectedSession, number>();
  return new Hono<InspectorTypes>()
    .get('/:id/recording', (c) => withSession(c, (session) => sendRange(c, session)))
    .get('/:id/state', (c) => withSession(c, async (session) => c.json(session.state)))
    .get('/:id/live', (c) =>
      withSession(c, async (session) => {
        const open = streams.get(session) ?? 0;
        if (open >= MAX_STREAMS_PER_SESSION)
          return fail(c, 409, 'busy', `${MAX_STREAMS_PER_SESSION} pages already show this session: close one of them`);
        streams.set(session, open + 1);
        const isCurrent = async () =>
          (await c.get('sessions').isCurrent()) && (await c.get('sessions').open(c.req.param('id'))) === session;
        return streamState(c, session, isCurrent, () => streams.set(session, (streams.get(session) ?? 1) - 1));
      }),
    )
    .post('/:id/actions', (c) =>
      withSession(c, async (session) => {
        const action = actionOf(await bodyOf(c));
        if (action === undefined)
          return fail(c, 400, 'bad-action', 'an action must be "send" with a message, "hold" or "release"');
        try {
          await session.act(action);
          return c.json({ ok: true });
        } catch (error) {
          if (error instanceof SessionActionError) return fail(c, 409, error.code, error.message);
          throw error;
        }
      }),
    );
}

async function withSession(c: Context<InspectorTypes>, use: (session: InspectedSession) => Promise<Response>) {
  const session = await c.get('sessions').open(c.req.param('id') ?? '');
  return session === undefined ? fail(c, 404, 'not-found', 'this session does not exist') : use(session);
}

async function sendRange(c: Context, session: InspectedSession): Promise<Response> {
  const { bytes } = session.state;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(c.req.header('range') ?? '') ?? [];
  if (first === undefined || last === undefined)
    return fail(c, 400, 'bad-range', 'the request must contain a Range header with the first and the last byte');
  const from = Number(first);
  const to = Math.min(Number(last) + 1, bytes, from + MAX_RANGE_BYTES);
  if (from >= to) return fail(c, 416, 'bad-range', 'the range begins after the end of the recording');
  const found = await session.read(from, to);
  return c.body(found as Uint8Array<ArrayBuffer>, 206, {
    'content-type': 'application/octet-stream',
    'content-range': `bytes ${from}-${from + found.length - 1}/${bytes}`,
  });
}

function streamState(
  c: Context,
  session: InspectedSession,
  isCurrent: () => Promise<boolean>,
  onClose: () => void,
): Response {
  return streamSSE(c, async (stream) => {
    let wake: () => void = () => {};
    const remove = session.onChange(() => wake());
    let isOpen = true;
    stream.onAbort(() => {
      isOpen = false;
      wake();
    });
    try {
      let sent = '';
      let sentAt = 0;
      while (isOpen && (await isCurrent())) {
        const state = JSON.stringify(session.state);
        const isQuiet = state === sent;
        if (!isQuiet || performance.now() - sentAt > KEEP_ALIVE_MS) {
          await stream.writeSSE({ event: 'state', data: state });
          sent = state;
          sentAt = performance.now();
        }
        await stream.sleep(MIN_STATE_INTERVAL_MS);
        if (isOpen && JSON.stringify(session.state) === sent) {
          let timer: NodeJS.Timeout | undefined;
          await new Promise<void>((resolve) => {
            wake = resolve;
            timer = setTimeout(resolve, KEEP_ALIVE_MS);
          });
          clearTimeout(timer);
        }
      }
    } finally {
      remove();
      onClose();
    }
  });
}

function actionOf({ action, message, direction }: Readonly<Record<string, unknown>>): SessionAction | undefined {
  if (action === 'hold' || action === 'release') {
    return direction === 'from-host' || direction === 'from-agent' ? { action, direction } : undefined;
  }
  const isMessage =
    typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string';
  return action === 'send' && isMessage ? { action, message: { ...message } } : undefined;
}
