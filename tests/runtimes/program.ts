/** The program that runs in a page, in Bun and in Deno: our built packages in one file, without Node. */
import { runAgent } from '@proto/agent';
import { createHostSession, query } from '@proto/host';
import { connectSession, createMemoryPair, type SessionScheme } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';
import { sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';

/** The input of the program. */
export interface Task {
  /** The address of a session. */
  readonly session: string;
  readonly token: string;
  readonly prefer: readonly ('websocket' | 'sse')[];
  /** The program requests this address between two prompts, to break the link. */
  readonly cut: string;
}

/** The output of the program. */
export interface Outcome {
  /** The messages between a host and an agent in this runtime. */
  readonly here: readonly unknown[];
  /** The answers of the agent that is reached through the server. */
  readonly there: readonly unknown[];
}

/** Runs a host and an agent in one program. */
async function here(): Promise<unknown[]> {
  const { host, agent } = createMemoryPair();
  const leaving = runAgent(agent, createReferenceAgent());
  const results: unknown[] = [];
  for await (const message of query({ prompt: '/echo in one program', transport: () => host })) {
    if (message.type === 'result' && message.subtype === 'success') results.push(message.result);
  }
  await leaving;
  return results;
}

/** Runs a host of a remote agent, whose link breaks between two turns. */
async function there({ session, token, prefer, cut }: Task): Promise<unknown[]> {
  const transport = connectSession<WebSocketSchemeOptions & SseSchemeOptions>({
    url: session,
    prefer,
    schemes: [webSocketScheme, sseScheme] as SessionScheme<WebSocketSchemeOptions & SseSchemeOptions>[],
    options: { credential: token, baseMs: 50 },
  });
  const host = createHostSession(transport);
  const results: unknown[] = [];
  for (const text of ['one', 'two']) {
    await host.prompt(`/echo ${text}`).accepted;
    for await (const message of host.untilResult()) {
      if (message.type === 'result' && message.subtype === 'success') results.push(message.result);
    }
    await fetch(cut, { method: 'POST', mode: 'no-cors' });
  }
  await host.close();
  return results;
}

/** Runs both tests. */
export async function run(task: Task): Promise<Outcome> {
  return { here: await here(), there: await there(task) };
}
