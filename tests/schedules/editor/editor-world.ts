import { setTimeout as delay } from 'node:timers/promises';
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { serverSessions } from '@proto/remote';
import { attachWorker } from '@proto/remote/worker';
import { serverSessionsFor } from '@proto/terminal/editor';
import { type FaultProxy, startFaultProxy } from '@proto/testkit';
import type { Shown } from './editor-life.ts';
import { ScriptedAgent } from './scripted-agent.ts';

const TOKEN = 'driver-token-0123456789';
const POLL_MS = 5;

/** A server that can be restarted, with a proxy in front of it for editors, and another one for the agent. */
export class EditorWorld {
  readonly token = TOKEN;
  readonly #log = createMemoryEventLog();
  #server!: IngressServer;
  #editors!: FaultProxy;
  #workers!: FaultProxy;
  #agent: ScriptedAgent | undefined;

  static async open(): Promise<EditorWorld> {
    const world = new EditorWorld();
    await world.#listen();
    world.#editors = await startFaultProxy(() => world.#server.url);
    world.#workers = await startFaultProxy(() => world.#server.url);
    return world;
  }

  get agent(): ScriptedAgent {
    if (this.#agent === undefined) throw new Error('the agent has not been started');
    return this.#agent;
  }

  /** The address of the server for editors. */
  get url(): string {
    return this.#editors.url;
  }

  sessions(prefer: 'ws' | 'sse') {
    return serverSessionsFor({ base: this.#editors.url, prefer, cwd: '/work', token: async () => TOKEN });
  }

  startAgent(session: string): void {
    const url = `${this.#workers.url}/v1/code/sessions/${session}`;
    this.#agent = new ScriptedAgent(attachWorker({ url, token: TOKEN }));
  }

  cut(who: 'editor' | 'agent', how: 'rst' | 'fin', afterBytes: number): void {
    (who === 'editor' ? this.#editors : this.#workers).cut(how, afterBytes);
  }

  /** Ends the server without a word to its clients, and starts another one on its log, which can be reached unless `isRefusing` is set. */
  async restart({ isRefusing = false } = {}): Promise<void> {
    for (const proxy of [this.#editors, this.#workers]) {
      proxy.misbehave({ refuses: true });
      proxy.cut('rst');
    }
    await this.#server.close();
    await this.#listen();
    if (!isRefusing) this.mend();
  }

  mend(): void {
    for (const proxy of [this.#editors, this.#workers]) proxy.misbehave({});
  }

  /** Everything that the session contains, as an editor shows it. */
  async inLog(session: string): Promise<readonly Shown[]> {
    const source = serverSessions(this.#server.url, TOKEN);
    const found: Shown[] = [];
    for (let after = '0'; ; ) {
      const { lines, next } = await source.eventsAfter(session, after);
      for (const line of lines) found.push(...shownOf(JSON.parse(line) as StoredEvent));
      if (next === after) return found;
      after = next;
    }
  }

  async until(check: () => boolean, what: string): Promise<void> {
    const end = performance.now() + 20_000;
    while (!check()) {
      if (performance.now() > end) throw new Error(`this never happened: ${what}`);
      await delay(POLL_MS);
    }
  }

  async untilLog(session: string, check: (all: readonly Shown[]) => boolean): Promise<void> {
    for (let all = await this.inLog(session); !check(all); all = await this.inLog(session)) await delay(POLL_MS);
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    await this.#editors.close();
    await this.#workers.close();
    await this.#server.close();
  }

  async #listen(): Promise<void> {
    const accounts = await createAccounts([{ name: 'ann', role: 'driver', token: TOKEN }]);
    this.#server = await listen({ log: this.#log, accounts });
  }
}

interface StoredEvent {
  readonly payload: { readonly type: string; readonly message?: { readonly content?: unknown } };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
}

function shownOf({ payload }: StoredEvent): Shown[] {
  if (payload.type !== 'user' && payload.type !== 'assistant') return [];
  const { content } = payload.message ?? {};
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly Block[];
  return blocks.map(({ type, text, id, tool_use_id: result, is_error: isError }) => {
    if (type === 'tool_use') return `begin ${id}`;
    if (type === 'tool_result') return `${isError ? 'failed' : 'completed'} ${result}`;
    return `${payload.type === 'user' ? 'user' : 'agent'} ${text}`;
  });
}
