import type { WireMessage } from '@proto/core/framing';
import { requestIdOf } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import type { PromptState } from '../prompts/prompt-delivery.ts';
import { BackgroundTasks } from './background-tasks.ts';
import { blocksIn, callIdOf, textOr } from './content.ts';
import { Conversation, promptIn } from './conversation.ts';
import { afterBeginning, type Facts, factsAfter, NO_FACTS } from './facts.ts';
import { noticeIn } from './notices.ts';
import type { LinkStatus, SessionSnapshot, UnknownMessages } from './snapshot.ts';
import { StreamingBlocks } from './streaming-blocks.ts';
import { WaitingQuestions } from './waiting-questions.ts';

const MAX_UNKNOWN = 20;
const NEVER_RUN = ['cancelled', 'discarded', 'refused'];

/** Everything that a snapshot shows. Each message changes only the parts that it concerns. */
export class ViewedSession {
  readonly questions = new WaitingQuestions(() => this.#changed());
  readonly #onChange: () => void;
  readonly #conversation: Conversation;
  readonly #streaming = new StreamingBlocks();
  readonly #tasks = new BackgroundTasks();
  /** The state that the agent itself reported last. */
  #reported: unknown;
  #facts: Facts = NO_FACTS;
  #link: LinkStatus = { state: 'up', since: undefined, error: undefined };
  #unknown: UnknownMessages = { count: 0, last: [] };
  #snapshot: SessionSnapshot | undefined;
  #isCurrent = false;

  constructor(maxItems: number, onChange: () => void) {
    this.#conversation = new Conversation(maxItems);
    this.#onChange = onChange;
  }

  snapshot(): SessionSnapshot {
    if (this.#isCurrent && this.#snapshot !== undefined) return this.#snapshot;
    this.#isCurrent = true;
    const { turns, prompts } = this.#conversation;
    const facts = this.#facts;
    // Each member is named, because an object that begins with a spread takes 40 times as long to create.
    const next: SessionSnapshot = {
      turns: turns.snapshot(),
      isTruncated: turns.isTruncated,
      streaming: this.#streaming.snapshot(),
      queue: prompts.snapshot(),
      questions: this.questions.snapshot(),
      tasks: this.#tasks.snapshot(),
      status: this.#status,
      link: this.#link,
      unknown: this.#unknown,
      todos: facts.todos,
      plan: facts.plan,
      activity: facts.activity,
      usage: facts.usage,
      contextTokens: facts.contextTokens,
      info: facts.info,
      suggestion: facts.suggestion,
    };
    // Many messages change nothing that is shown.
    if (this.#snapshot === undefined || !isSame(this.#snapshot, next)) this.#snapshot = next;
    return this.#snapshot;
  }

  received(message: WireMessage, at: number): void {
    if (message.type === 'stream_event') this.#increment(message, at);
    else {
      this.#facts = factsAfter(this.#facts, message);
      const prompt = message.type === 'user' ? promptIn(message) : undefined;
      if (prompt === undefined) this.#show(message, at);
      else this.#prompt(prompt, message);
      this.#changed();
    }
  }

  addPrompt(content: PromptContent, uuid: string | undefined, state: PromptState): void {
    this.#conversation.prompts.add(content, uuid, state);
    this.#changed();
  }

  promptState(uuid: string, state: PromptState): void {
    this.#conversation.prompts.advance(uuid, state);
    this.#changed();
  }

  link(state: LinkStatus['state'], since: number, error?: unknown): void {
    const { state: before } = this.#link;
    // Each failed attempt to connect reports `down` again.
    if (before === 'ended' || (state === before && this.#link.since !== undefined)) return;
    // Increments that were sent in the meantime are lost. The complete message follows.
    this.#streaming.dropAll();
    this.#link = { state, since, error };
    this.#changed();
  }

  /** An increment changes nothing else, so its cost does not depend on the length of the session. */
  #increment(message: WireMessage, at: number): void {
    const isBeginning = Object(message['event']).type === 'message_start' && callIdOf(message) === undefined;
    if (isBeginning) {
      this.#facts = afterBeginning(this.#facts);
      this.#conversation.reply(message, at);
    }
    if (this.#streaming.add(message) || isBeginning) this.#changed();
  }

  /** A prompt of another client, or the confirmation of a prompt that was sent here. */
  #prompt(content: PromptContent, message: WireMessage): void {
    const { prompts } = this.#conversation;
    const uuid = textOr(message['uuid'], undefined);
    const isEcho = message['isReplay'] === true && (uuid === undefined || !prompts.has(uuid));
    if (isEcho && prompts.adopt(content, uuid)) return;
    prompts.confirm(prompts.add(content, uuid, 'delivered'));
  }

  #show(message: WireMessage, at: number): void {
    const conversation = this.#conversation;
    const { type, subtype } = message;
    switch (type === 'system' ? subtype : type) {
      case 'assistant':
        this.#streaming.complete(callIdOf(message), Object(message['message']).id, blocksIn(message));
        conversation.retract(message['supersedes']);
        return conversation.assistant(message, at);
      case 'result':
        this.#streaming.drop(undefined);
        return conversation.end(message, at);
      case 'command_lifecycle':
        return this.#lifecycle(String(message['command_uuid']), message['state'], at);
      case 'control_request':
        return this.questions.show(message, at);
      case 'control_cancel_request':
        return this.questions.close(String(requestIdOf(message)));
      case 'tool_progress':
        return conversation.progress(String(message['tool_use_id']), Number(message['elapsed_time_seconds']));
      case 'init':
        return conversation.expectTurn();
      case 'session_state_changed':
        this.#reported = message['state'];
        if (this.#reported === 'idle') conversation.idle(at);
        return;
      case 'task_started':
      case 'task_updated':
      case 'task_progress':
      case 'task_notification':
      case 'background_tasks_changed':
        return this.#task(message, at);
      case 'user':
        conversation.user(message, at);
        break;
      case 'conversation_reset':
        this.#tasks.stopAll();
        conversation.reply(message, at);
        break;
      case 'permission_denied':
        conversation.denied(String(message['tool_use_id']), at);
        break;
      default:
        conversation.retract(message['retracted_message_uuids']);
    }
    this.#notice(message, at);
  }

  #task(message: WireMessage, at: number): void {
    const ended = this.#tasks.add(message);
    if (ended?.callId !== undefined) this.#conversation.stopCalls(ended.callId, at);
    // The agent reports the end of a task to the model, in a new turn if no turn is running. A stopped task is not reported.
    if (ended !== undefined && ended.status !== 'stopped') this.#conversation.expectTurn();
  }

  #lifecycle(uuid: string, stage: unknown, at: number): void {
    const { prompts } = this.#conversation;
    prompts.confirm(uuid);
    if (stage === 'started') this.#conversation.begin(at, [uuid]);
    else if (stage === 'completed') prompts.advance(uuid, 'done');
    else if (NEVER_RUN.includes(String(stage))) prompts.advance(uuid, 'cancelled');
  }

  #notice(message: WireMessage, at: number): void {
    const notice = noticeIn(message);
    if (notice === 'unknown') {
      const { count, last } = this.#unknown;
      this.#unknown = { count: count + 1, last: [...last, message].slice(-MAX_UNKNOWN) };
    } else if (notice !== undefined) this.#conversation.notice(notice.level, notice.text, message, at);
  }

  get #status(): SessionSnapshot['status'] {
    if (this.questions.count > 0 || this.#reported === 'requires_action') return 'requires_action';
    return this.#reported === 'running' || this.#conversation.isRunning ? 'running' : 'idle';
  }

  #changed(): void {
    this.#isCurrent = false;
    this.#onChange();
  }
}

function isSame(a: SessionSnapshot, b: SessionSnapshot): boolean {
  return (Object.keys(a) as (keyof SessionSnapshot)[]).every((name) => Object.is(a[name], b[name]));
}
