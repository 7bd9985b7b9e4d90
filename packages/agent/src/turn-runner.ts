import type { WireMessage } from '@proto/core/framing';
import type { AgentOptions } from './agent-options.ts';
import type { Conversation } from './conversation.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import type { PromptIntake } from './prompt-intake.ts';
import { joinContents, type Prompt, type PromptContent, textOf } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import { refusalOf, refusedPrompt, stopFeedback, stopMessages } from './turn-hooks.ts';
import type { Turn } from './turn.ts';

/** What turns are run with. */
export interface TurnRunnerOptions {
  readonly agent: AgentOptions;
  readonly intake: Pick<PromptIntake, 'replay'>;
  readonly conversation: Conversation;
  readonly emit: (message: WireMessage) => Promise<void>;
  /** The `system/init` of a turn. */
  readonly init: () => WireMessage;
  /** Runs hooks under the turn, and heeds what they say. */
  readonly runHooks: (running: RunningTurn, call: HookCall) => Promise<HookOutcome>;
  /** Further members of the input of Stop hooks. */
  readonly stopInput: () => object;
  /** The turn as the loop sees it. */
  readonly open: (running: RunningTurn, prompt: PromptContent, additionalContext: readonly string[]) => Turn;
}

/** Runs the conversation of each turn: all that is said from the hooks of its prompt to what comes ahead of its result. */
export class TurnRunner {
  readonly #options: TurnRunnerOptions;

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
  }

  async run(running: RunningTurn): Promise<void> {
    const { emit, init, intake, open } = this.#options;
    const { prompts, result } = running;
    const content = joinContents(prompts.map((prompt) => prompt.content));
    const submitted = await this.#submit(running, content);
    await emit({ ...init(), ...result.prompts });
    for (const prompt of prompts) intake.replay(prompt);
    const refused = submitted && (await this.#refuse(running, content, submitted));
    if (refused !== undefined) return result.take(refused);
    await this.remember(prompts);
    await this.#tellNotices(running);
    let next: PromptContent | undefined = content;
    try {
      for (let round = 0; next !== undefined && !running.isOver; round++) {
        await this.#converse(running, open(running, next, submitted?.additionalContext ?? []));
        next = running.isOver || result.isError ? undefined : await this.#stop(running, round > 0);
      }
    } catch (error) {
      // What an interrupt makes fail needs no other reason.
      if (!running.isInterrupted) throw error;
    }
    await this.#say(running, running.takeRejections());
    await this.#mark(running);
    await this.#tellNotices(running);
  }

  /** Adds prompts to the conversation. */
  async remember(prompts: readonly Prompt[]): Promise<void> {
    const { conversation } = this.#options;
    for (const { message } of prompts) conversation.begin(message);
    await conversation.mirror();
  }

  /** Has the hooks judge a prompt that is to join the turn; false where they are against it, which is told. */
  async admit(running: RunningTurn, prompt: Prompt): Promise<boolean> {
    const { content } = prompt;
    const submitted = await this.#call(running, content);
    if ((await this.#refuse(running, content, submitted)) !== undefined) return false;
    await this.remember([prompt]);
    await this.#tellNotices(running);
    return true;
  }

  /** The agent's own prompts are nobody's to judge. */
  #submit(running: RunningTurn, content: PromptContent): Promise<HookOutcome> | undefined {
    if (running.prompts.some(({ origin }) => origin !== undefined)) return undefined;
    return this.#call(running, content);
  }

  #call(running: RunningTurn, content: PromptContent): Promise<HookOutcome> {
    return this.#options.runHooks(running, { hook_event_name: 'UserPromptSubmit', prompt: textOf(content) });
  }

  /** Tells that hooks are against a prompt, and gives the result that says so; undefined where they let it through. */
  async #refuse(running: RunningTurn, content: PromptContent, outcome: HookOutcome): Promise<WireMessage | undefined> {
    const reason = refusalOf(outcome);
    if (reason === undefined || running.signal.aborted) return undefined;
    const { notice, result } = refusedPrompt(content, reason);
    await this.#options.emit(notice);
    return result;
  }

  async #converse(running: RunningTurn, turn: Turn): Promise<void> {
    const { agent, conversation, emit } = this.#options;
    for await (const message of agent.runTurn(turn)) {
      if (message.type === 'stream_event' && !agent.includePartialMessages) continue;
      if (message.type === 'result') {
        running.result.take(message);
        continue;
      }
      await emit(running.follow(conversation.follow(message)));
      const mirrored = conversation.mirror();
      if (mirrored !== undefined) await mirrored;
      await this.#tellNotices(running);
      // Behind what was cut, and ahead of the events that close it.
      if (message['aborted'] === true) await this.#mark(running);
    }
  }

  /** Whether the turn may end: undefined, or what it goes on with. */
  async #stop(running: RunningTurn, isActive: boolean): Promise<PromptContent | undefined> {
    const { emit, runHooks, stopInput } = this.#options;
    const call = { stop_hook_active: isActive, last_assistant_message: running.result.text, ...stopInput() };
    const outcome = await runHooks(running, { hook_event_name: 'Stop', ...call });
    const feedback = stopFeedback(outcome);
    if (feedback === undefined || running.isOver) return undefined;
    const [message, notice] = stopMessages(feedback);
    await this.#say(running, [message]);
    if (outcome.block !== undefined) await emit(notice);
    running.result.reopen();
    return feedback;
  }

  async #mark(running: RunningTurn): Promise<void> {
    const marker = running.takeMarker();
    if (marker !== undefined) await this.#say(running, [marker]);
  }

  /** Says something of its own on the main thread. */
  async #say({ result }: RunningTurn, messages: readonly WireMessage[]): Promise<void> {
    const { conversation, emit } = this.#options;
    for (const message of messages) await emit(result.follow(conversation.remember(message)));
    await conversation.mirror();
  }

  async #tellNotices(running: RunningTurn): Promise<void> {
    for (const notice of running.notices.splice(0)) await this.#options.emit(notice);
  }
}
