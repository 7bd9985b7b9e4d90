import type { ResumableTransport } from '@proto/core/transport';
import { FakeClock } from './fake-clock.test-support.ts';
import { FakeSession } from './fake-session.test-support.ts';
import { type Read, readAll } from './read-all.test-support.ts';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';

export const URL_OF_SESSION = 'https://sessions.example/v1/code/sessions/cse_1';

export interface Viewer extends Read {
  readonly transport: ResumableTransport;
  readonly session: FakeSession;
  readonly clock: FakeClock;
}

export function follow(
  options: Partial<SseOptions> = {},
  session = new FakeSession(),
  clock = new FakeClock(),
): Viewer {
  const transport = createSseTransport({
    url: URL_OF_SESSION,
    fetch: session.fetch,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { transport, session, clock, ...readAll(transport) };
}
