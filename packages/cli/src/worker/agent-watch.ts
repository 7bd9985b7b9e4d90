import { requestIdOf } from '@proto/core/internal';
import { createSessionFollower, type SessionEvent } from '@proto/host';
import type { WireMessage } from '@proto/core';
import { failedResult } from '@proto/headless';
import type { IncomingMessage, TransportClose, WorkerLink } from '@proto/core/transport';

/** What is known of one life of an agent, by what it and its clients say. Control requests stay known where they are open. */
export interface AgentWatch {
  fromClient(message: IncomingMessage): void;
  fromAgent(message: IncomingMessage): void;
  /** Neither in a turn, nor waiting for an answer. */
  readonly isIdle: boolean;
  /** How many turns it has finished. */
  readonly results: number;
  /** Its own id of the conversation. */
  readonly conversation: string | undefined;
  /** The `initialize` that it answered last. */
  readonly initialize: WireMessage | undefined;
  /** What its clients have to be told when it is gone: what nobody waits for, or will do, any more, and how it ended. */
  lastWords(close: TransportClose, restarting: boolean): readonly WireMessage[];
}

// Requests of clients that an agent leaves open: of more the oldest are forgotten, and have no answer when it is gone.
const MAX_UNANSWERED = 10_000;
const MAX_INITIALIZING = 100;

type Members = Readonly<Record<string, unknown>>;

/** Watches a new agent, and does the duties of its worker: the state of the session, and how far each prompt has come. */
export function createAgentWatch(worker: WorkerLink | undefined): AgentWatch {
  const follower = createSessionFollower();
  let told = '';
  let conversation: string | undefined;
  let initialize: WireMessage | undefined;
  const asked = new Map<unknown, Members>();
  // Those of them that are for a person.
  const questions = new Map<unknown, Members>();
  const unanswered = new Set<unknown>();
  const initializing = new Map<unknown, WireMessage>();

  function track(event: SessionEvent): void {
    const before = follower.state.prompts;
    const state = follower.track(event);
    if (state.prompts !== before) {
      const left = new Set(state.prompts);
      for (const prompt of before) if (!left.has(prompt)) worker?.reportDelivery(prompt, 'processed');
    }
    const [question] = questions.values();
    const now = `${state.session} ${String(question?.['request_id'])}`;
    if (now === told) return;
    told = now;
    worker?.reportState(state.session, question && detailsOf(question));
  }

  function answered(requestId: unknown): void {
    questions.delete(requestId);
    if (asked.delete(requestId)) track({ questions: questions.size });
  }

  return {
    get isIdle() {
      const { session, tasks } = follower.state;
      return session === 'idle' && tasks.length === 0 && asked.size === 0;
    },
    get results() {
      return follower.state.results;
    },
    get conversation() {
      return conversation;
    },
    get initialize() {
      return initialize;
    },
    fromClient(item) {
      const { message } = item.read();
      if (message === undefined) return;
      const { type, uuid, request, response } = message;
      if (type === 'user' && typeof uuid === 'string') {
        track({ prompt: uuid });
        // One that had its result is not run again, so nothing else will tell.
        worker?.reportDelivery(uuid, follower.isOver(uuid) ? 'processed' : 'processing');
        return;
      }
      if (typeof uuid === 'string') worker?.reportDelivery(uuid, 'processed');
      if (type === 'control_response') answered(requestIdOf(membersOf(response)));
      if (type === 'control_cancel_request') unanswered.delete(requestIdOf(message));
      if (type !== 'control_request') return;
      unanswered.add(requestIdOf(message));
      if (unanswered.size > MAX_UNANSWERED) unanswered.delete(unanswered.values().next().value);
      if (membersOf(request)['subtype'] !== 'initialize') return;
      initializing.set(requestIdOf(message), message);
      if (initializing.size > MAX_INITIALIZING) initializing.delete(initializing.keys().next().value);
    },
    fromAgent(item) {
      const { message } = item.read();
      if (message === undefined) return;
      switch (message.type) {
        case 'keep_alive':
          return;
        case 'control_request':
          asked.set(requestIdOf(message), message);
          if (isQuestion(message)) questions.set(requestIdOf(message), message);
          else questions.delete(requestIdOf(message));
          return track({ questions: questions.size });
        case 'control_cancel_request':
          return answered(requestIdOf(message));
        case 'control_response': {
          const answer = membersOf(message['response']);
          const id = requestIdOf(answer);
          if (answer['subtype'] === 'success') initialize = initializing.get(id) ?? initialize;
          initializing.delete(id);
          unanswered.delete(id);
          return;
        }
        default:
          if (message['subtype'] === 'init' && typeof message['session_id'] === 'string')
            conversation = message['session_id'];
          track({ message });
      }
    },
    lastWords(close, restarting) {
      const { exitCode = null, signal = null, stderrTail = '' } = close.process ?? {};
      const notStarted = reasonNotStarted(close);
      const cancels = Array.from(asked.keys(), (request_id) => ({ type: 'control_cancel_request', request_id }));
      const exited = {
        type: 'system',
        subtype: 'agent_exited',
        code: exitCode,
        signal,
        stderr: stderrTail === '' ? (close.error?.message ?? '') : stderrTail,
        restarting,
        ...(notStarted !== undefined && { error: notStarted }),
        ...(conversation !== undefined && { session_id: conversation }),
      };
      // The next one is asked again.
      if (restarting) return [...cancels, exited];
      const refusals = Array.from(unanswered, (request_id) => ({
        type: 'control_response',
        response: { subtype: 'error', request_id, error: 'the agent of this session is gone' },
      }));
      // Nobody will do what was asked for: whoever waits for a result has one, and no later agent is asked again.
      const { session, prompts } = follower.state;
      if (close.error === undefined || session === 'idle') return [...cancels, ...refusals, exited];
      const result = {
        ...failedResult(close.error.message, conversation ?? ''),
        user_message_uuids: prompts,
      };
      track({ message: result });
      return [...cancels, ...refusals, result, exited];
    },
  };
}

/** Why an agent could not even be started; undefined for one that was. */
export function reasonNotStarted({ error, process }: TransportClose): string | undefined {
  return process === undefined ? error?.message.replace(/^stdio: /, '') : undefined;
}

const QUESTIONS: readonly unknown[] = ['can_use_tool', 'elicitation', 'request_user_dialog'];

/** Whether a request is one to a person. */
function isQuestion({ request }: Members): boolean {
  return QUESTIONS.includes(membersOf(request)['subtype']);
}

function detailsOf({ request_id, request }: Members): object {
  const { tool_name, tool_use_id, description, display_name } = membersOf(request);
  const action_description = description ?? display_name ?? tool_name ?? '';
  return { tool_name, action_description, request_id, tool_use_id };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
