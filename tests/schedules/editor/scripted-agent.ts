import { type AgentOptions, runAgent } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';

type Step = 'says' | 'calls' | 'ends';

/** An agent whose turns consist of the steps that a test has ordered. Orders without a turn wait for the next turn. */
export class ScriptedAgent {
  readonly ended: Promise<unknown>;
  readonly #transport: Transport;
  readonly #orders: Step[] = [];
  #texts = 0;
  #calls = 0;
  #isRunning = false;
  #wake = () => {};

  constructor(transport: Transport) {
    this.#transport = transport;
    const runTurn: AgentOptions['runTurn'] = (turn) => this.#run(turn);
    const output = { partialMessages: true };
    this.ended = runAgent(transport, { runTurn, permissions: { prompts: 'host' }, output }).catch(() => {});
  }

  order(...steps: readonly Step[]): void {
    this.#orders.push(...steps);
    this.#wake();
  }

  /** Ends the running turn after what has been ordered for it. */
  finish(): void {
    if (this.#isRunning && this.#orders.length === 0) this.order('ends');
  }

  async close(): Promise<void> {
    this.#transport.abort();
    await this.ended;
  }

  async *#run({ canUseTool, signal }: Parameters<AgentOptions['runTurn']>[0]): AsyncGenerator<WireMessage, void> {
    this.#isRunning = true;
    signal.addEventListener('abort', () => this.#wake());
    try {
      for (let step = await this.#next(signal); step !== 'ends'; step = await this.#next(signal)) {
        yield { type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true };
        if (step === 'says') yield* this.#say();
        else yield* this.#call(canUseTool);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #next(signal: AbortSignal): Promise<Step> {
    while (this.#orders.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#orders.shift() ?? 'ends';
  }

  *#say(): Generator<WireMessage> {
    const id = `m${(this.#texts += 1)}`;
    const text = `text ${this.#texts}`;
    const event = (body: object): WireMessage => ({ type: 'stream_event', event: body, parent_tool_use_id: null });
    yield event({ type: 'message_start', message: { id, type: 'message', role: 'assistant', content: [] } });
    yield event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    for (const piece of text.split(/(?= )/)) {
      yield event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } });
    }
    yield reply(id, { type: 'text', text });
    yield event({ type: 'content_block_stop', index: 0 });
    yield event({ type: 'message_stop' });
  }

  async *#call(canUseTool: Parameters<AgentOptions['runTurn']>[0]['canUseTool']): AsyncGenerator<WireMessage> {
    const id = `call ${(this.#calls += 1)}`;
    const input = { command: `echo ${this.#calls}` };
    yield reply(`for ${id}`, { type: 'tool_use', id, name: 'Bash', input });
    const { behavior } = await canUseTool('Bash', input, id);
    const block = { type: 'tool_result', tool_use_id: id, content: behavior, is_error: behavior !== 'allow' };
    yield { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null };
  }
}

function reply(id: string, block: object): WireMessage {
  const message = { id, type: 'message', role: 'assistant', model: 'scripted', content: [block], usage: {} };
  return { type: 'assistant', message, parent_tool_use_id: null };
}
