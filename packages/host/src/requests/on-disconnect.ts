/**
 * What becomes of open permission requests while the link is down. `hold`: nothing, they wait for their answer, which goes out when the
 * link is up again. `deny`: they are refused. With a time, in milliseconds: they are refused when it is still down after that.
 */
export type OnDisconnect = 'hold' | 'deny' | { readonly timeoutMs: number };

// A longer timer would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Makes what hears of the link, and has refused what is open when it is down and the policy says so; until the signal aborts. */
export function watchDisconnects(
  policy: OnDisconnect,
  refuse: () => void,
  signal: AbortSignal,
): (state: 'down' | 'up') => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  signal.addEventListener('abort', stop);
  return (state) => {
    if (state === 'up') stop();
    else if (policy === 'deny') refuse();
    // From its first moment on: each attempt that fails tells again that it is down.
    else if (policy !== 'hold') timer ??= setTimeout(refuse, Math.min(policy.timeoutMs, MAX_TIMER_MS));
  };
}
