// Two ways to follow a session with a plain EventSource. This file imports nothing, so a page can load it as it is.
//
// Options of both functions:
//   session      the address of the session: http://HOST/v1/code/sessions/ID
//   token        the token of an account of the server
//   after        the number of the last event that the caller has; 0 for the whole session
//   onEvent      called with each event of the log, in order: { sequence_num, source, payload, … }
//   onGap        called with { from, to } when the server no longer has these events
//   onEnd        called once: with undefined after the session was archived, else with the error that ends the stream

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * For a browser. Its EventSource cannot set a header, and a token in a URL would appear in logs. Therefore this function sends the token in the
 * header of a POST that requests a ticket, and puts the ticket into the URL. A ticket opens one stream, once, within a minute. To reconnect, the
 * function requests another ticket and states in the URL where to continue.
 */
export function followByTicket({
  session,
  token,
  after = 0,
  onEvent,
  onGap,
  onEnd,
  EventSource = globalThis.EventSource,
}) {
  let cursor = after;
  let wait = FIRST_WAIT_MS;
  let source;
  let timer;
  let isClosed = false;

  function close(error, isEnd = true) {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    source?.close();
    if (isEnd) onEnd?.(error);
  }
  function retry() {
    source?.close();
    if (isClosed) return;
    timer = setTimeout(() => void open(), wait);
    wait = Math.min(2 * wait, MAX_WAIT_MS);
  }
  async function open() {
    let ticket;
    try {
      const response = await fetch(`${session}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      // 401, 403 and 404 are permanent. 429 and 503 are temporary.
      if ([401, 403, 404].includes(response.status)) return close(new Error(`no ticket: status ${response.status}`));
      if (!response.ok) return retry();
      ({ ticket } = await response.json());
    } catch {
      // The server cannot be reached at the moment.
      return retry();
    }
    if (isClosed) return;
    source = new EventSource(`${session}/events/stream?ticket=${ticket}&from_sequence_num=${cursor}`);
    source.addEventListener('open', () => (wait = FIRST_WAIT_MS));
    // The EventSource itself would reconnect with the used ticket, which the server refuses.
    source.addEventListener('error', retry);
    listen(source, { onEvent, onGap, onEnd: close, onCursor: (number) => (cursor = number) });
  }
  void open();
  return { close: () => close(undefined, false) };
}

/**
 * For Node, with the class of the package `eventsource`: its option `fetch` can set a header. This EventSource reconnects by itself, and states in
 * `Last-Event-ID` where to continue. It gives up after any status except 200, even after a 503 while a server restarts.
 */
export function followByHeader({ session, token, after = 0, onEvent, onGap, onEnd, EventSource }) {
  const source = new EventSource(`${session}/events/stream?from_sequence_num=${after}`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  });
  source.addEventListener('error', ({ code, message }) => {
    if (source.readyState === EventSource.CLOSED) onEnd?.(new Error(`${message} (status ${code})`));
  });
  const onArchived = () => {
    source.close();
    onEnd?.();
  };
  listen(source, { onEvent, onGap, onEnd: onArchived });
  return { close: () => source.close() };
}

/** Listens to the frames that a viewer needs. docs/ingress.md lists the other frames. */
function listen(source, { onEvent, onGap, onEnd, onCursor }) {
  source.addEventListener('client_event', ({ data, lastEventId }) => {
    onCursor?.(Number(lastEventId));
    onEvent(JSON.parse(data));
  });
  source.addEventListener('resume', ({ data }) => {
    const { verdict, from, to } = JSON.parse(data);
    if (verdict === 'gap') onGap?.({ from, to });
  });
  source.addEventListener('session_archived', () => onEnd());
}
