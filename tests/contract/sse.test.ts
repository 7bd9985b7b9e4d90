/** Runs the transport contract for event streams with the `fetch` of undici. */
import { testTransport } from '@proto/testkit/vitest';
import { undiciFetch } from '@proto/transport-sse/node';
import { eventStreamTransports } from './event-stream-transports.ts';
import { startNetworkedSession } from './networked-session.ts';

const platform = { name: 'with undici', fetch: undiciFetch(), startSession: () => startNetworkedSession() };
for (const transport of eventStreamTransports(platform)) testTransport(transport);
