/** A control frame, or another message. */
interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The body of a request. */
interface Request {
  readonly subtype: string;
  readonly [member: string]: unknown;
}

/** The part of `PendingRequests` that the tests use. */
interface Pending<Settlement> {
  request(...sent: never): unknown;
  settle(response: Frame): Settlement;
}

/** Pending requests whose frames are kept, and the answers of a host to them. */
export function scriptHost<Settlement, P extends Pending<Settlement>>(
  create: (options: { readonly send: (frame: object) => undefined }) => P & Pending<Settlement>,
) {
  const frames: Frame[] = [];
  const enqueue = (frame: object) => void frames.push(frame as Frame);
  const pending = create({ send: enqueue });
  const requests = () => frames.filter((frame) => frame.type === 'control_request');
  const last = () => String(requests().at(-1)?.['request_id']);
  return {
    frames,
    pending,
    /** Takes the place of a session. */
    session: { request: pending.request.bind(pending) as P['request'], pending, outbound: { enqueue } },
    /** The id of the newest request. */
    last,
    /** The bodies of all requests, as a host would parse them. */
    bodies: (): Request[] => requests().map(({ request }) => JSON.parse(JSON.stringify(request))),
    cancels: () =>
      frames.filter((frame) => frame.type === 'control_cancel_request').map((frame) => frame['request_id']),
    answer: (response: unknown, requestId = last()): Settlement => pending.settle(success(requestId, response)),
    fail: (error: string, requestId = last()): Settlement => pending.settle(failure(requestId, error)),
  };
}

/** A successful `control_response`. */
export function success(request_id: unknown, response: unknown): Frame {
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

/** A `control_response` with an error. */
export function failure(request_id: unknown, error: unknown): Frame {
  return { type: 'control_response', response: { subtype: 'error', request_id, error } };
}

/** A signal that counts its listeners. */
export function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners: () => listeners };
}
