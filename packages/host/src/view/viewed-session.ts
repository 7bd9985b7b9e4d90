import type { WireMessage } from '@proto/core/framing';
import { requestIdOf } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import type { PromptState } from '../prompts/prompt-delivery.ts';
import { endedSince } from '../state/session-follower.ts';
import { INITIAL_SESSION_STATE, type SessionEvent, type SessionState, trackSession } from '../state/session-tracker.ts';
import { INITIAL_USAGE, type SessionUsage, trackUsage } from '../state/usage.ts';
import { BackgroundTasks } from './background-tasks.ts';
import { blocksIn, callIdOf, textOr } from './content.ts';
import { Conversation, promptIn } from './conversation.ts';
import { noticeIn } from './notices.ts';
import { afterInit, commandNames, contextTokensOf, NO_INFO, planIn, todosIn } from './session-info.ts';
import type { Activity, LinkStatus, SessionInfo, SessionSnapshot, Todo, UnknownMessages } from './snapshot.ts';
import { StreamingBlocks } from './streaming-blocks.ts';
import { WaitingQuestions } from './waiting-questions.ts';

const MAX_UNKNOWN = 20;
const NO_TODOS: readonly Todo[] = [];

/** Everything that a snapshot shows. Each message changes only the parts that it concerns. */
export class ViewedSession {
  readonly questions = new WaitingQuestions(() => {
    this.#track({ questions: this.questions.count });
    this.#changed();
  });
  readonly #onChange: () => void;
  readonly #conversation: Conversation;
  readonly #streaming = new StreamingBlocks();
  readonly #tasks = new BackgroundTasks();
  #state: SessionState = INITIAL_SESSION_STATE;
  #usage: SessionUsage = INITIAL_USAGE;
  #info: SessionInfo = NO_INFO;
  #link: LinkStatus = { state: 'up', since: undefined, error: undefined };
  #activity: Activity | undefined;
  #todos = NO_TODOS;
  #plan: string | undefined;
  #contextTokens = 0;
  #suggestion: string | undefined;
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
    const next = this.#create();
    // Many messages change nothing that is shown.
    if (this.#snapshot === undefined || !isSame(this.#snapshot, next)) this.#snapshot = next;
    return this.#snapshot;
  }

  #create(): SessionSnapshot {
    const { turns, prompts } = this.#conversation;
    return {
      turns: turns.snapshot(),
      isTruncated: turns.isTruncated,
      streaming: this.#streaming.snapshot(),
      queue: prompts.snapshot(),
      questions: this.questions.snapshot(),
      tasks: this.#tasks.snapshot(),
      todos: this.#todos,
      plan: this.#plan,
      status: this.#state.session,
      activity: this.#activity,
      link: this.#link,
      usage: this.#usage,
      contextTokens: this.#contextTokens,
      info: this.#info,
      suggestion: this.#suggestion,
      unknown: this.#unknown,
    };
  }

  received(message: WireMessage, at: number): void {
    if (message.type === 'stream_event') {
      // An increment changes nothing else, so its cost does not depend on the length of the session.
      const isBeginning = Object(message['event']).type === 'message_start' && callIdOf(message) === undefined;
      if (isBeginning) this.#reply(message, at);
      if (this.#streaming.add(message) || isBeginning) this.#changed();
      return;
    }
    const before = this.#state;
    const prompt = message.type === 'user' ? promptIn(message) : undefined;
    if (prompt !== undefined) {
      this.#prompt(prompt, message);
      return this.#changed();
    }
    // The result of a tool shows that a turn is running. Another text with the role of the user can arrive at any time.
    if (message.type !== 'user' || blocksIn(message).some(({ type }) => type === 'tool_result'))
      this.#track({ message });
    if (message.type === 'result') this.#result(message, before, at);
    else this.#onMessage(message, at);
    if (message['subtype'] === 'session_state_changed' && before.prompts !== this.#state.prompts)
      this.#conversation.settle(endedSince(before, this.#state), at);
    this.#changed();
  }

  addPrompt(content: PromptContent, uuid: string | undefined, state: PromptState): void {
    const id = this.#conversation.prompts.add(content, uuid, state);
    if (id !== undefined) this.#track({ prompt: id });
    this.#changed();
  }

  promptState(uuid: string, state: PromptState): void {
    if (state === 'cancelled' || state === 'lost') this.#track({ unsent: uuid });
    this.#conversation.prompts.advance(uuid, state);
    this.#changed();
  }

  link(state: 'up' | 'down', since: number): void {
    if (state === this.#link.state && this.#link.since !== undefined) return;
    // Increments that were sent in the meantime are lost. The complete message follows.
    this.#streaming.dropAll();
    this.#link = { state, since, error: undefined };
    this.#changed();
  }

  end(error: unknown, since: number): void {
    this.#streaming.dropAll();
    this.#link = { state: 'ended', since, error };
    this.#changed();
  }

  #onMessage(message: WireMessage, at: number): void {
    switch (message.type) {
      case 'assistant':
        return this.#assistant(message, at);
      case 'user':
        this.#conversation.user(message, at);
        return this.#notice(message, at);
      case 'command_lifecycle':
        return this.#lifecycle(String(message['command_uuid']), message['state'], at);
      case 'control_request':
        return this.questions.show(message, at);
      case 'control_cancel_request':
        return this.questions.close(String(requestIdOf(message)));
      case 'tool_progress':
        return this.#conversation.progress(String(message['tool_use_id']), Number(message['elapsed_time_seconds']));
      case 'prompt_suggestion':
        this.#suggestion = textOr(message['suggestion'], undefined);
        return;
      case 'rate_limit_event':
        this.#info = { ...this.#info, rateLimit: Object(message['rate_limit_info']) };
        return;
      case 'conversation_reset':
        this.#tasks.stopAll();
        this.#todos = NO_TODOS;
        this.#plan = undefined;
        this.#usage = trackUsage(this.#usage, message);
        this.#conversation.reply(message, at);
        return this.#notice(message, at);
      case 'system':
        return this.#system(message, at);
      default:
        return this.#notice(message, at);
    }
  }

  #assistant(message: WireMessage, at: number): void {
    const callId = callIdOf(message);
    const blocks = blocksIn(message);
    if (callId === undefined) this.#reply(message, at);
    this.#streaming.complete(callId, Object(message['message']).id, blocks);
    this.#conversation.retract(message['supersedes']);
    this.#conversation.assistant(message, at);
    if (callId !== undefined) return;
    this.#contextTokens = contextTokensOf(message) ?? this.#contextTokens;
    for (const block of blocks) {
      this.#todos = todosIn(block) ?? this.#todos;
      this.#plan = planIn(block) ?? this.#plan;
    }
  }

  /** A prompt of another client, or the confirmation of a prompt that was sent here. */
  #prompt(content: PromptContent, message: WireMessage): void {
    const { prompts } = this.#conversation;
    const uuid = textOr(message['uuid'], undefined);
    const isEcho = message['isReplay'] === true && (uuid === undefined || !prompts.has(uuid));
    if (isEcho && prompts.adopt(content, uuid)) return;
    const id = prompts.add(content, uuid, 'delivered');
    if (id !== undefined) this.#track({ prompt: id });
    prompts.seen(id ?? String(uuid));
  }

  #lifecycle(uuid: string, stage: unknown, at: number): void {
    const { prompts } = this.#conversation;
    prompts.seen(uuid);
    if (stage === 'started') this.#conversation.begin(at, uuid);
    const state = Object.hasOwn(BY_LIFECYCLE, String(stage)) ? BY_LIFECYCLE[String(stage)] : undefined;
    if (state !== undefined) prompts.advance(uuid, state);
  }

  #result(message: WireMessage, before: SessionState, at: number): void {
    const { last } = this.#state;
    this.#usage = trackUsage(this.#usage, message);
    this.#streaming.drop(undefined);
    this.#activity = undefined;
    this.#conversation.end(message, last?.outcome ?? 'success', endedSince(before, this.#state), at);
  }

  #system(message: WireMessage, at: number): void {
    const { subtype } = message;
    switch (subtype) {
      case 'init':
        this.#info = afterInit(this.#info, message);
        return this.#conversation.announce();
      case 'status':
        this.#info = { ...this.#info, permissionMode: textOr(message['permissionMode'], this.#info.permissionMode) };
        this.#activity = activityIn(message['status']);
        return;
      case 'api_retry':
        this.#activity = {
          kind: 'retrying',
          attempt: Number(message['attempt']),
          maxRetries: Number(message['max_retries']),
          delayMs: Number(message['retry_delay_ms']),
        };
        return;
      case 'session_title_changed':
        this.#info = { ...this.#info, title: textOr(message['title'], this.#info.title) };
        return;
      case 'commands_changed':
        this.#info = { ...this.#info, commands: commandNames(message['commands']) };
        return;
      case 'task_started':
      case 'task_updated':
      case 'task_progress':
      case 'task_notification':
      case 'background_tasks_changed': {
        const callId = this.#tasks.add(message);
        if (callId !== undefined) this.#conversation.stopCalls(callId, at);
        return;
      }
      case 'permission_denied':
        this.#conversation.denied(String(message['tool_use_id']), at);
        return this.#notice(message, at);
      default:
        this.#conversation.retract(message['retracted_message_uuids']);
        this.#notice(message, at);
    }
  }

  #notice(message: WireMessage, at: number): void {
    const notice = noticeIn(message);
    if (notice === 'unknown') {
      const { count, last } = this.#unknown;
      this.#unknown = { count: count + 1, last: [...last, message].slice(-MAX_UNKNOWN) };
    } else if (notice !== undefined) this.#conversation.notice(notice.level, notice.text, message, at);
  }

  /** A reply of the main conversation begins. */
  #reply(message: WireMessage, at: number): void {
    this.#activity = undefined;
    this.#suggestion = undefined;
    this.#conversation.reply(message, at);
  }

  #track(event: SessionEvent): void {
    this.#state = trackSession(this.#state, event);
  }

  #changed(): void {
    this.#isCurrent = false;
    this.#onChange();
  }
}

const BY_LIFECYCLE: Readonly<Record<string, PromptState>> = {
  cancelled: 'cancelled',
  discarded: 'cancelled',
  refused: 'cancelled',
  completed: 'done',
};

function activityIn(status: unknown): Activity | undefined {
  return status === 'requesting' || status === 'compacting' ? { kind: status } : undefined;
}

function isSame(a: SessionSnapshot, b: SessionSnapshot): boolean {
  return (Object.keys(a) as (keyof SessionSnapshot)[]).every((name) => Object.is(a[name], b[name]));
}
