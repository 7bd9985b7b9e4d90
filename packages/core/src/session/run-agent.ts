import type { Transport } from '../transport/transport.ts';
import type { AgentOptions, AgentOutcome } from './agent/agent-options.ts';

/**
 * Is an agent over a transport, until the host's input ends, every prompt has had its turn, and nothing runs in the background. Rejects
 * with a `ProtocolError` on input that real agents refuse, and with the `TransportError` when the link breaks; nothing more is written
 * then.
 */
export async function runAgent(transport: Transport, options: AgentOptions): Promise<AgentOutcome> {
  // Loaded where somebody is an agent: hosts need none of it. What arrives meanwhile waits in the transport.
  const { AgentSession } = await import('./agent-session.ts');
  return new AgentSession(transport, options).run();
}
