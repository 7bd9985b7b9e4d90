import type { WireMessage } from '@proto/core/framing';
import { incomingOf } from '@proto/core/internal';
import { type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';

/** What is added after the last message of an agent, and what is left out before it. */
export interface FinalMessagesOptions {
  /** Returns the messages that follow the last message of the agent. */
  finalMessages(close: TransportClose): readonly WireMessage[];
  /** Whether an item of the agent is left out. */
  isHidden(item: Incoming): boolean;
}

/** Wraps the transport of an agent so that its reader sees a clean end, after messages that say how the agent really ended. */
export function withFinalMessages(transport: Transport, options: FinalMessagesOptions): Transport {
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for await (const items of transport.incoming) yield items.filter((item) => !options.isHidden(item));
    } catch {
      // `closed` reports this error, too.
    }
    // An agent that has ended its output may still run.
    void transport.close();
    yield options.finalMessages(await transport.closed).map((message) => incomingOf(message));
  }
  return wrapTransport(transport, { incoming: incoming() });
}

/** Creates the message by which clients learn that the agent is gone, and whether another one follows. */
export function agentExited(
  close: TransportClose,
  { restarting, conversation }: { readonly restarting: boolean; readonly conversation: string | undefined },
): WireMessage {
  const { exitCode = null, signal = null, stderrTail = '' } = processEndOf(close) ?? {};
  const notStarted = reasonNotStarted(close);
  return {
    type: 'system',
    subtype: 'agent_exited',
    code: exitCode,
    signal,
    stderr: stderrTail === '' ? (close.error?.message ?? '') : stderrTail,
    restarting,
    ...(notStarted !== undefined && { error: notStarted }),
    ...(conversation !== undefined && { session_id: conversation }),
  };
}

/** Says why an agent could not even be started; undefined for an agent that was started. */
export function reasonNotStarted(close: TransportClose): string | undefined {
  return processEndOf(close) === undefined ? close.error?.message.replace(/^stdio: /, '') : undefined;
}
