import type { WireMessage } from '@proto/core/framing';
import { failedResult, isRecord, requestIdOf, type WorkerLink } from '@proto/core/internal';
import type { IncomingMessage, TransportClose } from '@proto/core/transport';
import { createSessionFollower, type SessionEvent } from '@proto/host';
import { agentExited } from './final-messages.ts';

// How many unanswered client requests are remembered. The oldest are forgotten first; forgotten requests get no answer when the agent ends.
const MAX_UNANSWERED = 10_000;
const MAX_INITIALIZING = 100;

type Members = Readonly<Record<string, unknown>>;

/**
 * Follows one run of an agent from the messages of the agent and its clients, and does the worker's duties: it reports the state of the session and
 * of each prompt.
 */
export class AgentWatch {
  readonly #worker: WorkerLink | undefined;
  readonly #follower = createSessionFollower();
  /** The agent's requests that have no answer yet, by their ids. */
  readonly #asked = new Map<unknown, Members>();
  /** The agent's requests that a person has to answer, by their ids. */
  readonly #questions = new Map<unknown, Members>();
  /** The ids of the clients' requests that have no answer yet. */
  readonly #unanswered = new Set<unknown>();
  readonly #initializing = new Map<unknown, WireMessage>();
  #reported = '';
  #conversation: string | undefined;
  #initialize: WireMessage | undefined;

  constructor(worker: WorkerLink | undefined) {
    this.#worker = worker;
  }

  /** Whether the agent is idle: no turn and no task is running, and the agent is not waiting for an answer. */
  get isIdle(): boolean {
    const { session, tasks } = this.#follower.state;
    return session === 'idle' && tasks.length === 0 && this.#asked.size === 0;
  }

  get results(): number {
    return this.#follower.state.results;
  }

  /** The agent's own id of the conversation. */
  get conversation(): string | undefined {
    return this.#conversation;
  }

  /** The last `initialize` that the agent has accepted. */
  get initialize(): WireMessage | undefined {
    return this.#initialize;
  }

  fromClient(item: IncomingMessage): void {
    const { message } = item.read();
    if (message === undefined) return;
    const { type, uuid, response } = message;
    if (type === 'user' && typeof uuid === 'string') {
      this.#track({ prompt: uuid });
      // The agent does not run a prompt again after its result, so nothing else will report the prompt as processed.
      this.#worker?.reportDelivery(uuid, this.#follower.isOver(uuid) ? 'processed' : 'processing');
      return;
    }
    if (typeof uuid === 'string') this.#worker?.reportDelivery(uuid, 'processed');
    if (type === 'control_response') this.#answered(requestIdOf(membersOf(response)));
    if (type === 'control_cancel_request') this.#unanswered.delete(requestIdOf(message));
    if (type === 'control_request') this.#requested(message);
  }

  fromAgent(item: IncomingMessage): void {
    const { message } = item.read();
    if (message === undefined) return;
    switch (message.type) {
      case 'keep_alive':
        return;
      case 'control_request':
        this.#asked.set(requestIdOf(message), message);
        if (isQuestion(message)) this.#questions.set(requestIdOf(message), message);
        else this.#questions.delete(requestIdOf(message));
        return this.#track({ questions: this.#questions.size });
      case 'control_cancel_request':
        return this.#answered(requestIdOf(message));
      case 'control_response': {
        const answer = membersOf(message['response']);
        const id = requestIdOf(answer);
        if (answer['subtype'] === 'success') this.#initialize = this.#initializing.get(id) ?? this.#initialize;
        this.#initializing.delete(id);
        this.#unanswered.delete(id);
        return;
      }
      default:
        if (message['subtype'] === 'init' && typeof message['session_id'] === 'string')
          this.#conversation = message['session_id'];
        this.#track({ message });
    }
  }

  /**
   * Returns the messages that clients receive when the agent has ended. These messages state how the agent ended, cancel the agent's open requests,
   * and refuse the clients' unanswered requests unless the agent is restarted.
   */
  finalMessages(close: TransportClose, restarting: boolean): readonly WireMessage[] {
    const conversation = this.#conversation;
    const cancels = Array.from(this.#asked.keys(), (request_id) => ({ type: 'control_cancel_request', request_id }));
    const exited = agentExited(close, { restarting, conversation });
    // The next agent will receive the open requests again.
    if (restarting) return [...cancels, exited];
    const refusals = Array.from(this.#unanswered, (request_id) => ({
      type: 'control_response',
      response: { subtype: 'error', request_id, error: 'the agent of this session has ended' },
    }));
    // No agent will work on the open prompts: clients that wait for a result get a failed result, and no later agent receives the prompts again.
    const { session, prompts } = this.#follower.state;
    if (close.error === undefined || session === 'idle') return [...cancels, ...refusals, exited];
    const result = {
      ...failedResult(close.error.message, conversation ?? ''),
      user_message_uuids: prompts,
    };
    this.#track({ message: result });
    return [...cancels, ...refusals, result, exited];
  }

  #track(event: SessionEvent): void {
    const before = this.#follower.state.prompts;
    const state = this.#follower.track(event);
    if (state.prompts !== before) {
      const left = new Set(state.prompts);
      for (const prompt of before) if (!left.has(prompt)) this.#worker?.reportDelivery(prompt, 'processed');
    }
    const [question] = this.#questions.values();
    const now = `${state.session} ${String(question?.['request_id'])}`;
    if (now === this.#reported) return;
    this.#reported = now;
    this.#worker?.reportState(state.session, question && detailsOf(question));
  }

  #answered(requestId: unknown): void {
    this.#questions.delete(requestId);
    if (this.#asked.delete(requestId)) this.#track({ questions: this.#questions.size });
  }

  #requested(message: WireMessage): void {
    this.#unanswered.add(requestIdOf(message));
    forgetOldest(this.#unanswered, MAX_UNANSWERED);
    if (membersOf(message['request'])['subtype'] !== 'initialize') return;
    this.#initializing.set(requestIdOf(message), message);
    forgetOldest(this.#initializing, MAX_INITIALIZING);
  }
}

const QUESTIONS: readonly unknown[] = ['can_use_tool', 'elicitation', 'request_user_dialog'];

function isQuestion({ request }: Members): boolean {
  return QUESTIONS.includes(membersOf(request)['subtype']);
}

function detailsOf({ request_id, request }: Members): object {
  const { tool_name, tool_use_id, description, display_name } = membersOf(request);
  const action_description = description ?? display_name ?? tool_name ?? '';
  return { tool_name, action_description, request_id, tool_use_id };
}

function forgetOldest(kept: Map<unknown, unknown> | Set<unknown>, max: number): void {
  if (kept.size > max) kept.delete(kept.keys().next().value);
}

function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}
