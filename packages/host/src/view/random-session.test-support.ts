import type { WireMessage } from '@proto/core/framing';
import fc from 'fast-check';
import type { Sent } from './view.test-support.ts';

/** What happens in a turn. */
type Step =
  | { readonly kind: 'text' | 'thinking'; readonly pieces: readonly string[] }
  | {
      readonly kind: 'calls';
      readonly outcomes: readonly ('done' | 'failed' | 'denied' | 'none')[];
      readonly isTask: boolean;
    }
  | { readonly kind: 'subagent'; readonly of: number; readonly text: string }
  | { readonly kind: 'notice' | 'unknown' | 'retry' | 'compaction' }
  | { readonly kind: 'todos'; readonly done: number }
  | { readonly kind: 'question'; readonly isWithdrawn: boolean }
  | { readonly kind: 'prompt'; readonly text: string };

interface RandomTurn {
  readonly prompts: readonly string[];
  readonly steps: readonly Step[];
  readonly end: 'success' | 'error' | 'interrupted' | 'cut text';
}

const text = fc.string({ maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('text', 'thinking'), pieces: fc.array(text, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('calls' as const),
    outcomes: fc.array(fc.constantFrom('done', 'failed', 'denied', 'none'), { minLength: 1, maxLength: 3 }),
    isTask: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('subagent' as const), of: fc.nat(5), text }),
  fc.record({ kind: fc.constantFrom('notice', 'unknown', 'retry', 'compaction') }),
  fc.record({ kind: fc.constant('todos' as const), done: fc.nat(3) }),
  fc.record({ kind: fc.constant('question' as const), isWithdrawn: fc.boolean() }),
  fc.record({ kind: fc.constant('prompt' as const), text }),
);

/** Whether the agent sends `init` and `command_lifecycle`, and names prompts in its results. Older agents do not. */
export interface AgentHabits {
  readonly hasLifecycle: boolean;
  readonly namesPrompts: boolean;
}

export const randomSession: fc.Arbitrary<readonly Sent[]> = fc
  .record({
    habits: fc.record({ hasLifecycle: fc.boolean(), namesPrompts: fc.boolean() }),
    turns: fc.array(
      fc.record({
        prompts: fc.array(text, { maxLength: 2 }),
        steps: fc.array(step, { maxLength: 6 }),
        end: fc.constantFrom('success', 'error', 'interrupted', 'cut text'),
      }),
      { maxLength: 5 },
    ),
  })
  .map(({ habits, turns }) => new SessionWriter(habits).write(turns));

/** Writes the messages of a session as an agent with partial messages sends them. */
class SessionWriter {
  readonly #habits: AgentHabits;
  readonly #sent: Sent[] = [];
  #count = 0;
  #calls: string[] = [];
  #prompts: string[] = [];

  constructor(habits: AgentHabits) {
    this.#habits = habits;
  }

  write(turns: readonly RandomTurn[]): readonly Sent[] {
    for (const turn of turns) this.#turn(turn);
    return this.#sent;
  }

  #turn({ prompts, steps, end }: RandomTurn): void {
    for (const prompt of prompts) this.#prompt(prompt);
    const first = this.#prompts.slice(0, 1);
    this.#prompts = this.#prompts.slice(1);
    for (const id of first) this.#lifecycle(id, 'started');
    this.#agent({ type: 'system', subtype: 'init', model: 'm', tools: ['Bash'], permissionMode: 'default' });
    const taken = [...first];
    for (const one of steps) {
      if (one.kind === 'prompt') taken.push(...this.#fold(one.text));
      else this.#step(one);
    }
    if (end === 'cut text') this.#reply(['cut'], { aborted: true });
    const isCut = end === 'interrupted' || end === 'cut text';
    const named = this.#habits.namesPrompts && taken.length > 0 ? { user_message_uuids: taken } : {};
    this.#agent({
      type: 'result',
      subtype: end === 'success' ? 'success' : 'error_during_execution',
      is_error: end !== 'success',
      terminal_reason: isCut ? 'aborted_streaming' : 'completed',
      result: 'the result',
      total_cost_usd: ++this.#count / 100,
      usage: { input_tokens: 1 },
      modelUsage: {},
      permission_denials: [],
      ...named,
    });
    for (const id of taken) this.#lifecycle(id, isCut ? 'cancelled' : 'completed');
  }

  /** A prompt that is sent during a turn. An agent that names its prompts takes it into the turn. */
  #fold(prompt: string): readonly string[] {
    const id = this.#prompt(prompt);
    if (!this.#habits.namesPrompts) return [];
    this.#prompts = this.#prompts.filter((one) => one !== id);
    this.#lifecycle(id, 'started');
    return [id];
  }

  #prompt(content: string): string {
    const uuid = `p${++this.#count}`;
    this.#prompts.push(uuid);
    this.#sent.push({
      from: 'host',
      message: { type: 'user', uuid, message: { role: 'user', content }, parent_tool_use_id: null },
    });
    this.#lifecycle(uuid, 'queued');
    return uuid;
  }

  #step(step: Exclude<Step, { readonly kind: 'prompt' }>): void {
    switch (step.kind) {
      case 'text':
        return this.#reply(step.pieces);
      case 'thinking':
        return this.#block('thinking', step.pieces, { type: 'thinking', thinking: step.pieces.join('') });
      case 'calls':
        return this.#callTools(step);
      case 'subagent': {
        const parent = this.#calls[step.of];
        if (parent !== undefined) this.#reply([step.text], { parent_tool_use_id: parent });
        return;
      }
      case 'todos':
        return this.#call('TodoWrite', {
          todos: ['a', 'b', 'c'].map((content, index) => ({
            content,
            status: index < step.done ? 'completed' : 'pending',
          })),
        });
      case 'question':
        return this.#ask(step.isWithdrawn);
      case 'notice':
        return this.#agent({
          type: 'system',
          subtype: 'informational',
          content: `notice ${++this.#count}`,
          level: 'info',
        });
      case 'compaction':
        return this.#agent({ type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger: 'auto' } });
      case 'retry':
        return this.#agent({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 5 });
      case 'unknown':
        return this.#agent({ type: 'system', subtype: 'not_known_yet' });
    }
  }

  #reply(pieces: readonly string[], members: object = {}): void {
    this.#block('text', pieces, { type: 'text', text: pieces.join('') }, members);
  }

  #callTools({ outcomes, isTask }: Extract<Step, { readonly kind: 'calls' }>): void {
    const ids = outcomes.map(() => `t${++this.#count}`);
    for (const id of ids) this.#call('Bash', { command: id }, id);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === 'none') continue;
      const id = String(ids[index]);
      const isError = outcome !== 'done';
      this.#agent({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: 'out', is_error: isError }],
        },
        parent_tool_use_id: null,
        ...(outcome === 'denied' && { tool_result_meta: [{ id, non_execution_kind: 'user-rejected' }] }),
      });
    }
    if (!isTask) return;
    const task = { task_id: `task-${ids[0]}`, tool_use_id: ids[0] };
    this.#agent({ type: 'system', subtype: 'task_started', ...task, description: 'd', task_type: 'local_bash' });
    this.#agent({ type: 'system', subtype: 'task_notification', ...task, status: 'stopped', summary: 's' });
  }

  #call(name: string, input: object, id = `t${++this.#count}`): void {
    this.#calls.push(id);
    this.#block('input_json', [JSON.stringify(input)], { type: 'tool_use', id, name, input });
  }

  #ask(isWithdrawn: boolean): void {
    const request_id = `r${++this.#count}`;
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' };
    this.#agent({ type: 'control_request', request_id, request });
    if (isWithdrawn) this.#agent({ type: 'control_cancel_request', request_id });
    else {
      const response = { subtype: 'success', request_id, response: { behavior: 'allow' } };
      this.#sent.push({ from: 'host', message: { type: 'control_response', response } });
    }
  }

  /** One reply with one block: its increments, and the complete message before the end of the block. */
  #block(kind: string, pieces: readonly string[], block: object, members: object = {}): void {
    const id = `m${++this.#count}`;
    const event = (body: object) =>
      this.#agent({ type: 'stream_event', parent_tool_use_id: null, ...members, event: body });
    const empty = kind === 'input_json' ? { ...block, input: {} } : { ...block, text: '', thinking: '' };
    event({ type: 'message_start', message: { id } });
    event({ type: 'content_block_start', index: 0, content_block: empty });
    const member = kind === 'input_json' ? 'partial_json' : kind;
    for (const piece of pieces)
      event({ type: 'content_block_delta', index: 0, delta: { type: `${kind}_delta`, [member]: piece } });
    this.#agent({
      type: 'assistant',
      uuid: `u${this.#count}`,
      message: { id, content: [block], usage: { input_tokens: this.#count } },
      parent_tool_use_id: null,
      ...members,
    });
    event({ type: 'content_block_stop', index: 0 });
    event({ type: 'message_stop' });
  }

  #lifecycle(uuid: string, state: string): void {
    if (this.#habits.hasLifecycle) this.#agent({ type: 'command_lifecycle', command_uuid: uuid, state });
  }

  #agent(message: object): void {
    this.#sent.push({ from: 'agent', message: message as WireMessage });
  }
}
