import type { RequestOptions, SessionMalformed, SessionOptions } from '@proto/core';
import type {
  AgentMessage,
  AnswerTo,
  ControlRequests,
  NotInferred,
  PromptContent,
  SDKControlInitializeRequest,
  SDKControlInitializeResponse,
  SDKTranscriptMirrorMessage,
} from '@proto/core/messages';
import type { IncomingLink, Transport, TransportClose } from '@proto/core/transport';
import type { InvalidMessageError } from './errors.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { InProcessMcpServers } from './mcp/mcp-servers.ts';
import type { PermissionOptions } from './permissions/permissions.ts';
import type { InterruptOptions, InterruptReceipt } from './prompts/interrupt.ts';
import type { PromptDeliveryOptions, SentPrompt } from './prompts/prompt-delivery.ts';
import type { UserQuestionOptions } from './questions/user-questions.ts';
import type { SessionState } from './state/session-tracker.ts';
import type { StreamReport } from './state/stream-report.ts';
import type { SessionUsage } from './state/usage.ts';
import type { HostLiveness, WatchdogOptions } from './state/watchdog.ts';

/** What a host tells the agent at the start, by the names of `initialize`. What the host serves is added. */
export type InitializeMembers = Omit<
  SDKControlInitializeRequest,
  'subtype' | 'hooks' | 'sdkMcpServers' | 'sdkMcpServerManifests' | 'supportedDialogKinds'
>;

/** What a host serves, what it wants to hear of, and its limits. */
export interface HostSessionOptions
  extends PermissionOptions,
    UserQuestionOptions,
    PromptDeliveryOptions,
    Pick<
      SessionOptions,
      | 'handlers'
      | 'validate'
      | 'signal'
      | 'outbound'
      | 'pauseAboveBytes'
      | 'failAboveBytes'
      | 'maxServedRequests'
      | 'maxServedBytes'
    > {
  readonly hooks?: Hooks;
  /** MCP servers in this program, by name. */
  readonly mcpServers?: InProcessMcpServers;
  readonly initialize?: InitializeMembers;
  /**
   * True for an agent that got its prompt when it was started, and reads no input. The host ends the input at once, sends no `initialize` and no
   * other request, and gets one result. Default false.
   */
  readonly oneShot?: boolean;
  /** How long the agent may take to answer `initialize`, in milliseconds. Default 60 000. */
  readonly initializeTimeoutMs?: number;
  /** What to do when nothing comes while a turn runs. Default: nothing. */
  readonly watchdog?: WatchdogOptions;
  /** Hears of each line that is no message, when the line comes; `error` has the whole line. The iteration leaves it out. */
  readonly onMalformed?: (item: SessionMalformed, error: InvalidMessageError) => void;
  /** On transports that reconnect: hears of the link going down and up. */
  readonly onLink?: (item: IncomingLink) => void;
  /** Hears of each change of the state, when the message that changes it comes. */
  readonly onState?: (state: SessionState) => void;
  /** Takes what an agent started with `--session-mirror` writes to its transcript. */
  readonly onTranscriptMirror?: (message: SDKTranscriptMirrorMessage) => void;
}

/** A control request that hosts send, and whose members and answer are declared. */
export type HostRequestSubtype = Exclude<
  keyof ControlRequests,
  'can_use_tool' | 'hook_callback' | 'elicitation' | 'request_user_dialog'
>;

type Members<Subtype extends HostRequestSubtype> = Omit<ControlRequests[Subtype], 'subtype'>;

/** The members of a request of that subtype, which may be left out where none is needed, and how long the request waits. */
type HostRequestArguments<Subtype extends HostRequestSubtype, Answer> =
  Partial<Members<Subtype>> extends Members<Subtype>
    ? [members?: Members<Subtype>, options?: RequestOptions<Answer>]
    : [members: Members<Subtype>, options?: RequestOptions<Answer>];

/** How much came in so far. */
export interface HostCounters {
  messages: number;
  /** Lines that are no messages, or of the wrong shape. */
  malformed: number;
  /** Answers to requests that were over, or were never sent. */
  unawaitedAnswers: number;
}

/** How a session is closed while requests are open. */
export interface HostCloseOptions {
  /** `reject`, the default: close at once, and reject what is open. `drain`: close when the agent is idle and no request is open. */
  readonly pending?: 'reject' | 'drain';
  /** How long `drain` may take, in milliseconds; the session is closed after that. Default: no limit. */
  readonly timeoutMs?: number;
}

/**
 * The host's side of the protocol over one transport: prompts go out, messages come in, and requests of the agent are served meanwhile.
 * Iterate a session once; leaving the loop closes it. The iteration ends with the agent's output. It throws a `TransportError` of code
 * `lost` if the link broke, or if the agent exited without a result for a prompt.
 */
export interface HostSession extends AsyncIterable<AgentMessage>, AsyncDisposable {
  readonly transport: Transport;
  /**
   * What the agent answered to `initialize`. Prompts do not wait for the answer, unless the host asked for something that not every agent
   * can do, such as a hook that must block.
   */
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /**
   * What the agent says it can do, by name; undefined before its first turn has begun. A request that needs something else rejects at once
   * with an `UnsupportedCapabilityError`.
   */
  readonly capabilities: ReadonlySet<string> | undefined;
  /**
   * The state after the last message that arrived. A loop over the session may not have read that message yet: to decide inside the loop
   * whether the session is idle, track what the loop has read with `createSessionFollower`.
   */
  readonly state: SessionState;
  readonly counters: Readonly<HostCounters>;
  /** The tool calls and results that came in, and which are missing or too many. */
  readonly report: StreamReport;
  readonly usage: SessionUsage;
  /** When something came last. */
  readonly liveness: HostLiveness;
  /** Aborts when nothing more will come, with the reason. Whatever waits for an answer rejects with the same reason. */
  readonly signal: AbortSignal;
  /** Fulfils when everything is released, with how the session ended. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Sends a prompt. Members of a user message may be added, such as its `uuid`. Wait for `accepted` of what it returns before you send
   * many more: the promise fulfils when the queue has room.
   */
  prompt(content: PromptContent, members?: Readonly<Record<string, unknown>>): SentPrompt;
  /** The messages up to the next result, with the result. Leaving the loop closes nothing; the next reader gets what follows. */
  untilResult(): AsyncIterableIterator<AgentMessage>;
  /**
   * Sends a control request and returns the payload of its answer. Rejects with a `ControlError` when the agent refuses, whose `code` is
   * the `error_code` of the answer, and with a `TypeError` when the subtype is not a string. For a subtype that is not declared, the
   * caller says the type of the answer: `request<Plan>('get_plan')`.
   */
  request<Answer = unknown, Subtype extends string = string>(
    subtype: Exclude<Subtype, HostRequestSubtype>,
    members?: Readonly<Record<string, unknown>>,
    options?: RequestOptions<Answer>,
  ): Promise<Answer>;
  // This overload is the last because a compiler shows the complaint of the last one.
  request<Subtype extends HostRequestSubtype, Answer = AnswerTo<Subtype>>(
    subtype: Subtype,
    ...rest: HostRequestArguments<Subtype, Answer>
  ): Promise<NotInferred<Answer>>;
  /** Ends the running turn, after the agent has answered `initialize`. The turn still has a result. */
  interrupt(options?: InterruptOptions): Promise<InterruptReceipt>;
  /** Answers a question that a callback has left open. False if the question is not open: it was answered or taken back. */
  respond(requestId: unknown, answer: unknown): boolean;
  /** Sends `initialize` again, for an agent that has lost it. The agent's open questions are asked again. */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  /** Replaces the MCP servers in this program, and tells the agent. */
  setMcpServers(servers: InProcessMcpServers): Promise<unknown>;
  /**
   * No more prompts. The agent's input ends when all of this holds: the agent is idle, no background task runs, and no request of either
   * side waits for its answer. An agent that has given every result, but never says that it is idle, counts as idle after 10 seconds of
   * silence. Until the end its turns can be controlled, and what it asks is answered. Fulfils when the input has ended; called by a
   * callback before its first `await`, it fulfils at once. Do not wait for it later in a callback: the callback would wait for itself.
   */
  endInput(): Promise<void>;
  /** Ends the session, and fulfils when everything is released. With `drain`, call it in a callback like `endInput`. */
  close(options?: HostCloseOptions): Promise<void>;
  /** Ends the session now, and drops what is queued. What waits rejects with the reason. */
  abort(reason?: unknown): void;
}
