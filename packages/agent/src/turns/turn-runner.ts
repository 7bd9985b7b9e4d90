import type { WireMessage } from '@proto/core/framing';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import { refusalOf, refusedPrompt, stopFeedback, stopMessages } from '../hooks/turn-hooks.ts';
import { type ExpandedPrompts, promptCommands, withCommands } from '../mcp/prompt-commands.ts';
import { joinContents, type Prompt, type PromptContent, textOf } from '../prompts/prompt.ts';
import { openTurn, type TurnParts, type TurnRound } from './open-turn.ts';
import type { RunningTurn } from './running-turn.ts';
import { systemInit, turnTools } from './system-init.ts';
import type { Turn } from './turn.ts';

/** Runs the conversation of each turn: everything from the hooks of its prompt to the last message before its result. */
export class TurnRunner {
  readonly #parts: TurnParts;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  async run(running: RunningTurn): Promise<void> {
    const { emit } = this.#parts.wire;
    const { intake } = this.#parts.prompts;
    const { prompts, result } = running;
    const content = joinContents(prompts.map((prompt) => prompt.content));
    const submitted = await this.#submit(running, content);
    await emit({ ...this.#init(), ...result.prompts });
    for (const prompt of prompts) intake.replay(prompt);
    const refused = submitted && (await this.#refuse(running, content, submitted));
    if (refused !== undefined) return result.take(refused);
    await this.remember(prompts);
    await this.#sendNotices(running);
    try {
      const expanded = await this.#expand(running, prompts);
      if (expanded.refused !== undefined) return result.take(expanded.refused);
      let next: PromptContent | undefined = expanded.content;
      const context = [...(submitted?.additionalContext ?? []), ...expanded.additionalContext];
      for (let round = 0; next !== undefined && !running.isOver; round++) {
        await this.#converse(
          running,
          this.#open(running, next, { isContinued: round > 0, additionalContext: context }),
        );
        next = running.isOver || result.isError ? undefined : await this.#stop(running, round > 0);
      }
    } catch (error) {
      // An error after an interrupt is a consequence of the interrupt.
      if (!running.isInterrupted) throw error;
    }
    await this.#say(running, running.takeRejections());
    await this.#mark(running);
    await this.#sendNotices(running);
  }

  async remember(prompts: readonly Prompt[]): Promise<void> {
    const { conversation } = this.#parts;
    for (const { message } of prompts) conversation.begin(message);
    await conversation.mirror();
  }

  /** Adds waiting prompts to the running turn, unless prompt hooks refuse them. */
  async #takeQueued(running: RunningTurn): Promise<readonly PromptContent[]> {
    const { prompts } = this.#parts;
    const taken: PromptContent[] = [];
    // One prompt at a time: if the turn ends while hooks are being asked, each prompt that is still waiting gets a separate turn.
    while (!running.isOver) {
      const prompt = prompts.takeFirst();
      if (prompt === undefined) break;
      running.fold(prompt);
      prompts.intake.replay(prompt);
      prompts.intake.report(prompt, 'started');
      if (!(await this.#admit(running, prompt))) continue;
      const expanded = await this.#expand(running, [prompt]);
      if (expanded.refused === undefined) taken.push(expanded.content);
    }
    return taken;
  }

  /** Notifies the host if a hook refuses the expansion of a command. */
  async #expand(
    running: RunningTurn,
    prompts: readonly Prompt[],
  ): Promise<ExpandedPrompts & { refused?: WireMessage }> {
    const expanded = await this.#parts.commands.expand(running, prompts);
    if (expanded.refusal === undefined) return expanded;
    const { notice, result: refused } = refusedPrompt(expanded.content, expanded.refusal, 'UserPromptExpansion');
    await this.#parts.wire.emit(notice);
    return { ...expanded, refused };
  }

  #init(): WireMessage {
    const { wire, settings, mcp } = this.#parts;
    const { options } = wire;
    const init = {
      ...systemInit(settings.current, turnTools(options, mcp.list), mcp.list),
      ...options.initMessage?.(),
    };
    const names = promptCommands(mcp).map(({ name }) => name);
    return { ...init, slash_commands: withCommands(init['slash_commands'], names) };
  }

  #open(
    running: RunningTurn,
    prompt: PromptContent,
    round: Pick<TurnRound, 'isContinued' | 'additionalContext'>,
  ): Turn {
    const takeQueued = () => this.#takeQueued(running);
    return openTurn(this.#parts, { running, prompt, ...round, takeQueued });
  }

  /** If the hooks refuse the prompt, the host is notified and the method returns `false`. */
  async #admit(running: RunningTurn, prompt: Prompt): Promise<boolean> {
    const { content } = prompt;
    const submitted = await this.#call(running, content);
    if ((await this.#refuse(running, content, submitted)) !== undefined) return false;
    await this.remember([prompt]);
    await this.#sendNotices(running);
    return true;
  }

  /** No hooks run for prompts from the agent itself. */
  #submit(running: RunningTurn, content: PromptContent): Promise<HookOutcome> | undefined {
    if (running.prompts.some(({ origin }) => origin !== undefined)) return undefined;
    return this.#call(running, content);
  }

  #call(running: RunningTurn, content: PromptContent): Promise<HookOutcome> {
    return this.#parts.runHooks(running, { hook_event_name: 'UserPromptSubmit', prompt: textOf(content) });
  }

  /** Returns `undefined` if the hooks accept the prompt. */
  async #refuse(running: RunningTurn, content: PromptContent, outcome: HookOutcome): Promise<WireMessage | undefined> {
    const reason = refusalOf(outcome);
    if (reason === undefined || running.signal.aborted) return undefined;
    const { notice, result } = refusedPrompt(content, reason);
    await this.#parts.wire.emit(notice);
    return result;
  }

  async #converse(running: RunningTurn, turn: Turn): Promise<void> {
    const { wire, conversation } = this.#parts;
    const { options } = wire;
    for await (const message of options.runTurn(turn)) {
      if (message.type === 'stream_event' && !options.output?.partialMessages) continue;
      if (message.type === 'result') {
        running.result.take(message);
        continue;
      }
      await wire.emit(running.follow(conversation.follow(message)));
      const mirrored = conversation.mirror();
      if (mirrored !== undefined) await mirrored;
      await this.#sendNotices(running);
      // The mark is sent after the output that was cut off, and before the events that close this output.
      if (message['aborted'] === true) await this.#mark(running);
    }
  }

  /** Returns the text with which the turn continues, or `undefined` if the turn may end. */
  async #stop(running: RunningTurn, isActive: boolean): Promise<PromptContent | undefined> {
    const { wire, runHooks, tasks } = this.#parts;
    const going = { background_tasks: tasks.summaries, session_crons: [] };
    const call = { stop_hook_active: isActive, last_assistant_message: running.result.text, ...going };
    const outcome = await runHooks(running, { hook_event_name: 'Stop', ...call });
    const feedback = stopFeedback(outcome);
    if (feedback === undefined || running.isOver) return undefined;
    const [message, notice] = stopMessages(feedback);
    await this.#say(running, [message]);
    if (outcome.block !== undefined) await wire.emit(notice);
    running.result.reopen();
    return feedback;
  }

  async #mark(running: RunningTurn): Promise<void> {
    const marker = running.takeMarker();
    if (marker !== undefined) await this.#say(running, [marker]);
  }

  async #say({ result }: RunningTurn, messages: readonly WireMessage[]): Promise<void> {
    const { conversation, wire } = this.#parts;
    for (const message of messages) await wire.emit(result.follow(conversation.remember(message)));
    await conversation.mirror();
  }

  async #sendNotices(running: RunningTurn): Promise<void> {
    for (const notice of running.notices.splice(0)) await this.#parts.wire.emit(notice);
  }
}
