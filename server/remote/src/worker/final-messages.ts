import type { WireMessage } from '@proto/core/framing';
import { incomingOf } from '@proto/core/internal';
import { type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';

/** Which messages to add after an agent's last message, and which items to leave out before it. */
export interface FinalMessagesOptions {
  /** Returns the messages that follow the agent's last message. */
  finalMessages(close: TransportClose): readonly WireMessage[];
  /** Returns whether to leave out an item from the agent. */
  isHidden(item: Incoming): boolean;
}

/** Wraps an agent's transport so that its reader sees a normal end, after messages that describe how the agent really ended. */
export function withFinalMessages(transport: Transport, options: FinalMessagesOptions): Transport {
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for await (const items of transport.incoming) yield items.filter((item) => !options.isHidden(item));
    } catch {
      // `closed` also reports this error.
    }
    // An agent that has ended its output may still be running.
    void transport.close();
    yield options.finalMessages(await transport.closed).map((message) => incomingOf(message));
  }
  return wrapTransport(transport, { incoming: incoming() });
}

/** Creates the message that informs clients that the agent has ended, and whether another agent follows. */
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

/** Returns why an agent could not be started; undefined if the agent was started. */
export function reasonNotStarted(close: TransportClose): string | undefined {
  return processEndOf(close) === undefined ? close.error?.message.replace(/^stdio: /, '') : undefined;
}
