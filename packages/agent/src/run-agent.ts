import type { Transport } from '@proto/core/transport';
import type { AgentOptions, AgentOutcome } from './agent-options.ts';
import { AgentSession } from './agent-session.ts';

/**
 * Is an agent over a transport, until the host's input ends, every prompt has had its turn, and nothing runs in the background. Rejects
 * with a `ProtocolError` on input that real agents refuse, and with the `TransportError` when the link breaks; nothing more is written
 * then.
 */
export async function runAgent(transport: Transport, options: AgentOptions): Promise<AgentOutcome> {
  return new AgentSession(transport, options).run();
}
