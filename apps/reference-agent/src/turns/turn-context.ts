import type { PromptContent, Turn } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { TurnEnd } from '../actions.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { ReferenceAgentOptions } from '../reference-agent-options.ts';
import type { Tool, ToolProfile } from '../tools/tool.ts';
import { costOf, DEFAULT_MODEL, type Tokens, tokensOf, type Usage } from './usage.ts';

/** The state of a session that lasts from turn to turn. */
export interface ReferenceSession {
  readonly options: ReferenceAgentOptions;
  readonly permissions: Permissions;
  readonly usage: Usage;
  /** The names of the agent's own tools. */
  readonly toolNames: readonly string[];
  /** Returns the tool with this name that the speaker of `context` may call; undefined if no such tool exists. */
  tool(name: string, context: TurnContext): Tool | undefined;
  /** Returns one of the agent's own tools, which are the same in every context. */
  ownTool(name: string): Tool | undefined;
  /** Returns the facts about a tool that determine whether a call needs permission. */
  profile(name: string): ToolProfile | undefined;
}

/** The subagent that sends messages in place of the agent. */
export interface Subagent {
  readonly toolUseID: string;
  readonly agentID: string;
  readonly type: string;
  readonly description: string;
  /** How deep the subagent is nested: 1 for a subagent of the agent itself. */
  readonly depth: number;
}

/** The agent or a subagent, as the speaker in one turn: its texts, its usage and its limits. */
export class TurnContext {
  readonly turn: Turn;
  readonly session: ReferenceSession;
  readonly subagent: Subagent | undefined;
  /** What this speaker has used in this turn. */
  readonly tokens: Tokens = { input_tokens: 0, output_tokens: 0 };
  /** The last text of this speaker. */
  text = '';
  stopReason: string | null = null;
  /** The reason that a hook of the host gave for ending the turn; undefined if no hook has ended it. */
  stoppedBy: string | undefined;
  /** How many tools this speaker has called. */
  toolUses = 0;
  /** Prompts that arrived while a tool was running, and that are answered in this turn. */
  readonly queued: PromptContent[] = [];
  /** The structured output that a command has given, if any. */
  requestedOutput: { readonly value: unknown } | undefined;
  /** The structured output, after it was checked against the schema. */
  structured: { readonly value: unknown } | undefined;
  #inputTokens: number;

  constructor(turn: Turn, session: ReferenceSession, prompt: string, subagent?: Subagent) {
    this.turn = turn;
    this.session = session;
    this.subagent = subagent;
    this.#inputTokens = tokensOf(prompt);
    if (subagent === undefined && !turn.isContinued) session.usage.repliesOfTurn = 0;
  }

  /** The members of a message by which hosts identify the speaker. */
  get speaker(): { readonly parent_tool_use_id: string | null } {
    if (this.subagent === undefined) return { parent_tool_use_id: null };
    const { toolUseID, agentID, type, description } = this.subagent;
    const names = { agent_id: agentID, subagent_type: type, task_description: description };
    return { parent_tool_use_id: toolUseID, ...names };
  }

  /** Whether the turn must end, so that nothing more is sent or done. */
  get isOver(): boolean {
    return this.turn.signal.aborted || this.stoppedBy !== undefined;
  }

  /** The name of the model, in messages and in the usage. */
  get model(): string {
    return this.turn.model === 'default' ? DEFAULT_MODEL : this.turn.model;
  }

  /** Counts a text that the model reads, such as a tool result, as input tokens of the next reply. */
  addInput(text: string): void {
    this.#inputTokens += tokensOf(text);
  }

  /** Collects the prompts that arrived during a tool call. Real agents answer these prompts after the tool result, in the same turn. */
  async takeQueued(): Promise<void> {
    if (this.subagent === undefined) this.queued.push(...(await this.turn.takeQueued()));
  }

  /** Begins a reply. Returns the usage of the reply, which grows while the reply streams. @throws {TurnEnd} if `maxTurns` is exceeded. */
  beginReply(): Tokens {
    const { options, usage } = this.session;
    const { maxTurns } = options;
    if (maxTurns !== undefined && this.subagent === undefined && usage.repliesOfTurn >= maxTurns) {
      throw new TurnEnd({
        subtype: 'error_max_turns',
        is_error: true,
        terminal_reason: 'max_turns',
        errors: [`Reached maximum number of turns (${maxTurns})`],
      });
    }
    if (this.subagent === undefined) usage.repliesOfTurn += 1;
    return { input_tokens: this.#inputTokens, output_tokens: 0 };
  }

  /** Whether the session's budget is used up, including a reply that is not counted yet. */
  isSpent(tokens: Tokens): boolean {
    const { maxBudgetUsd } = this.session.options;
    return maxBudgetUsd !== undefined && this.session.usage.costUsd + costOf(tokens) > maxBudgetUsd;
  }

  /** Counts a reply that is done. @throws {TurnEnd} when the reply exceeds the budget of the session. */
  endReply(tokens: Tokens): void {
    const isSpent = this.isSpent(tokens);
    this.tokens.input_tokens += tokens.input_tokens;
    this.tokens.output_tokens += tokens.output_tokens;
    this.#inputTokens += tokens.output_tokens;
    this.session.usage.add(this.model, tokens);
    if (isSpent) {
      throw new TurnEnd({
        subtype: 'error_max_budget_usd',
        is_error: true,
        terminal_reason: 'budget_exhausted',
        errors: [`Reached maximum budget ($${this.session.options.maxBudgetUsd})`],
      });
    }
  }

  /** Creates a message with the role `user`, such as a tool result. */
  userMessage(content: readonly object[], members: object = {}): WireMessage {
    return { type: 'user', message: { role: 'user', content }, ...this.speaker, ...members };
  }
}
