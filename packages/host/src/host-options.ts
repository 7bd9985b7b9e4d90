import type { RequestOptions, SessionOptions } from '@proto/core';
import type {
  AgentMessage,
  AnswerTo,
  ControlRequests,
  PromptContent,
  SDKControlInitializeRequest,
  SDKControlInitializeResponse,
  SDKTranscriptMirrorMessage,
  SessionMalformed,
  NotInferred,
  Undeclared,
} from '@proto/core/internal';
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

/** What a host tells the agent at the start, by the names of `initialize`; what it serves is added. */
export type InitializeMembers = Omit<
  SDKControlInitializeRequest,
  'subtype' | 'hooks' | 'sdkMcpServers' | 'sdkMcpServerManifests' | 'supportedDialogKinds'
>;

/** What a host serves, and what it wants to hear of. */
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
      | 'maxUnreadBytes'
      | 'maxBufferedBytes'
      | 'maxServedRequests'
      | 'maxServedBytes'
    > {
  readonly hooks?: Hooks;
  /** MCP servers within this program, by name. */
  readonly mcpServers?: InProcessMcpServers;
  readonly initialize?: InitializeMembers;
  /**
   * False for an agent that was given its prompt when it was started, and reads nothing: its input ends at once, so that it is neither
   * initialized nor asked anything, and has one result to give. Default true.
   */
  readonly hasInput?: boolean;
  /** How long the agent may take to answer `initialize`, in milliseconds. Default 60 000. */
  readonly initializeTimeoutMs?: number;
  /** What is done about a turn of which nothing comes. Default: nothing. */
  readonly watchdog?: WatchdogOptions;
  /** Hears of each line that is no message, when it comes, with the whole of it; the iteration leaves it out. */
  readonly onMalformed?: (item: SessionMalformed, error: InvalidMessageError) => void;
  /** Hears of the link going down and up, on transports that reconnect. */
  readonly onLink?: (item: IncomingLink) => void;
  /** Hears of each change of the state, when the message comes that makes it. */
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

/** What came in so far. */
export interface HostCounters {
  messages: number;
  /** Lines that are no messages. */
  malformed: number;
  /** Answers to requests that were over, or never made. */
  unawaitedAnswers: number;
}

/** How a session is closed while requests are open. */
export interface HostCloseOptions {
  /** `reject`, the default: at once. `drain`: once the agent is idle and nothing is open any more. */
  readonly pending?: 'reject' | 'drain';
  /** How long `drain` may take. Default: as long as it takes. */
  readonly timeoutMs?: number;
}

/**
 * The host's side of the protocol over one transport: prompts go out, messages come in, and what the agent asks is served while they
 * do. Iterated once; leaving the loop closes the session. The iteration ends with the agent's output, and throws when the agent
 * was lost, or left without a word on a prompt.
 */
export interface HostSession extends AsyncIterable<AgentMessage>, AsyncDisposable {
  readonly transport: Transport;
  /** What the agent answered to `initialize`. It works without: prompts do not wait for it, unless a hook must block. */
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /** What the agent says it can do, by name, since its first turn began; a request that needs another rejects at once. */
  readonly capabilities: ReadonlySet<string> | undefined;
  /**
   * The state after the last message that arrived. The iteration may be behind it: to decide inside a loop whether the session is idle,
   * track the messages that the loop has read with `createSessionFollower`.
   */
  readonly state: SessionState;
  readonly counters: Readonly<HostCounters>;
  /** The tool calls and results that came in, and what is missing or too much. */
  readonly report: StreamReport;
  readonly usage: SessionUsage;
  /** When something last came. */
  readonly liveness: HostLiveness;
  /** Aborts with the one reason why nothing more will come, when it is known; what waits for an answer rejects with the same. */
  readonly signal: AbortSignal;
  /** How it ended, when everything is released; never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Sends a prompt. Members of a user message may be added, such as its `uuid`. Wait for `accepted` of what it returns before you send
   * many more: the promise fulfils when the queue has room.
   */
  prompt(content: PromptContent, members?: Readonly<Record<string, unknown>>): SentPrompt;
  /** The messages up to and with the next result. Leaving it, early or not, closes nothing; what follows is for the next reader. */
  untilResult(): AsyncIterableIterator<AgentMessage>;
  /**
   * Sends a control request and gives the payload of its answer. Rejects with a `ControlError`, whose `code` is the `error_code`,
   * when the agent refuses. Of a subtype that is not declared, the type of the answer is what the caller says:
   * `request<Plan>('get_plan')`.
   */
  request<Answer = unknown, Subtype extends string = string>(
    subtype: Undeclared<Subtype, HostRequestSubtype>,
    members?: Readonly<Record<string, unknown>>,
    options?: RequestOptions<Answer>,
  ): Promise<Answer>;
  // The last one, as this is the one whose complaint a compiler shows.
  request<Subtype extends HostRequestSubtype, Answer = AnswerTo<Subtype>>(
    subtype: Subtype,
    ...rest: HostRequestArguments<Subtype, Answer>
  ): Promise<NotInferred<Answer>>;
  /** Ends the running turn, once the agent has answered `initialize`. The result still comes. */
  interrupt(options?: InterruptOptions): Promise<InterruptReceipt>;
  /** Answers a question that a callback has left open. False where it is not open: answered, or taken back. */
  respond(requestId: unknown, answer: unknown): boolean;
  /** Sends `initialize` again, for an agent that has lost it. What it had asked and got no answer to is asked again. */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  /** Replaces the MCP servers within this program. */
  setMcpServers(servers: InProcessMcpServers): Promise<unknown>;
  /**
   * No more prompts. The agent's input ends when all of this holds: the agent is idle, no background task runs, and no request of either
   * side waits for its answer. An agent that has given every result, but never says that it is idle, counts as idle after 10 seconds of
   * silence. Until the end its turns can be controlled, and what it asks is answered. Fulfils when the input has ended; called by a
   * callback before its first `await`, it fulfils at once. Do not wait for it later in a callback: the callback would wait for itself.
   */
  endInput(): Promise<void>;
  /** Ends the session. In a callback `drain` is waited for like `endInput`. */
  close(options?: HostCloseOptions): Promise<void>;
  /** Drops everything now. */
  abort(reason?: unknown): void;
}
