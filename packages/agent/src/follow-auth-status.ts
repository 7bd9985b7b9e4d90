import type { AuthStatus } from './agent-options.ts';

/**
 * Tells each state that a source gives, until it has none left. Gives what ends that: the source is closed, so that a timer or a
 * listener of its own does not outlive the session. A source that fails has nothing more to tell.
 */
export function followAuthStatus(
  source: AsyncIterable<AuthStatus>,
  tell: (status: AuthStatus) => Promise<void>,
): () => void {
  const states = source[Symbol.asyncIterator]();
  const follow = async () => {
    for (let next = await states.next(); next.done !== true; next = await states.next()) await tell(next.value);
  };
  follow().catch(() => {});
  return () => void states.return?.().catch(() => {});
}
