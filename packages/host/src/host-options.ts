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

/** Members of the `initialize` request. The session adds the members for hooks, MCP servers and dialogs. */
export type InitializeMembers = Omit<
  SDKControlInitializeRequest,
  'subtype' | 'hooks' | 'sdkMcpServers' | 'sdkMcpServerManifests' | 'supportedDialogKinds'
>;

/** How many of the agent's messages may wait in memory, and how many of the agent's requests are served at a time. */
export type HostLimits = Pick<
  SessionOptions,
  'pauseAboveBytes' | 'failAboveBytes' | 'maxServedRequests' | 'maxServedBytes'
>;

/** The callbacks and limits of a host, and the features that the host offers to the agent. */
export interface HostSessionOptions
  extends PermissionOptions,
    UserQuestionOptions,
    PromptDeliveryOptions,
    Pick<SessionOptions, 'handlers' | 'validate' | 'signal' | 'outbound'> {
  /** The limits for messages and requests that a session keeps in memory. Default: the defaults of `HostLimits`. */
  readonly limits?: HostLimits;
  /** Callbacks for events in the agent, such as tool calls, by event name. Default: no hooks. */
  readonly hooks?: Hooks;
  /** MCP servers that run in this program, by name. */
  readonly mcpServers?: InProcessMcpServers;
  /** Further members of the `initialize` request, such as `agents`, `mcpServers` and `jsonSchema`. Default: none. */
  readonly initialize?: InitializeMembers;
  /**
   * Set to true for an agent that received its prompt when it was started, and reads no input. The host then ends the input at once, sends no
   * requests, not even `initialize`, and receives one result. Default false.
   */
  readonly oneShot?: boolean;
  /** How long the agent may take to answer `initialize`, in milliseconds. Default 60 000. */
  readonly initializeTimeoutMs?: number;
  /** What to do if the agent sends nothing while a turn is running. Default: nothing. */
  readonly watchdog?: WatchdogOptions;
  /** Called for each line that is not a message, when the line arrives. `error.line` is the whole line. The iteration skips such lines. */
  readonly onMalformed?: (item: SessionMalformed, error: InvalidMessageError) => void;
  /** Called when the link of a transport that reconnects goes down or up. */
  readonly onLink?: (item: IncomingLink) => void;
  /** Called each time the state changes, when the message that causes the change arrives. */
  readonly onState?: (state: SessionState) => void;
  /** Called with each addition to the transcript of an agent that was started with `--session-mirror`. */
  readonly onTranscriptMirror?: (message: SDKTranscriptMirrorMessage) => void;
}

/** The subtype of a control request that hosts send, if types are declared for its members and its answer. */
export type HostRequestSubtype = Exclude<
  keyof ControlRequests,
  'can_use_tool' | 'hook_callback' | 'elicitation' | 'request_user_dialog'
>;

type Members<Subtype extends HostRequestSubtype> = Omit<ControlRequests[Subtype], 'subtype'>;

/** The arguments after the subtype: the members of the request, which may be omitted if no member is required, and the options of the request. */
type HostRequestArguments<Subtype extends HostRequestSubtype, Answer> =
  Partial<Members<Subtype>> extends Members<Subtype>
    ? [members?: Members<Subtype>, options?: RequestOptions<Answer>]
    : [members: Members<Subtype>, options?: RequestOptions<Answer>];

/** How many messages, lines and answers have arrived so far. */
export interface HostCounters {
  /** Messages that the iteration has returned or will return. Control frames, `keep_alive` and messages that only the session uses are not counted. */
  messages: number;
  /** Lines that are not messages, or messages of the wrong shape. */
  malformed: number;
  /** Answers to requests that had already ended, or that this host did not send. */
  unawaitedAnswers: number;
}

/** The options of `close`, for a session that still has open requests. */
export interface HostCloseOptions {
  /**
   * With `reject`, the default, the session closes at once and open requests reject. With `drain`, the session closes when the agent is idle and no
   * request is open.
   */
  readonly pending?: 'reject' | 'drain';
  /** How long `drain` may wait, in milliseconds. After this time the session is closed. Default: no limit. */
  readonly timeoutMs?: number;
}

/**
 * The host's side of the protocol over one transport: sends prompts, receives messages, and serves the agent's requests. A session can be iterated
 * only once, and leaving the loop closes the session. The iteration ends when the agent's output ends. The iteration throws a `TransportError` with
 * the code `lost` if the link broke, or if the agent exited without a result for a prompt.
 */
export interface HostSession extends AsyncIterable<AgentMessage>, AsyncDisposable {
  /** The transport that the session was created with. The session reads it and closes it. */
  readonly transport: Transport;
  /**
   * The agent's answer to `initialize`. Prompts do not wait for the answer, unless the options need a feature that not every agent supports, such as
   * a hook that must block.
   */
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /**
   * The names of the capabilities that the agent reports. Undefined before its first turn has begun. A request that needs another capability rejects
   * at once with an `UnsupportedCapabilityError`.
   */
  readonly capabilities: ReadonlySet<string> | undefined;
  /**
   * The state after the last message that arrived. A loop over the session may not have read that message yet: to decide inside the loop
   * whether the session is idle, track what the loop has read with `createSessionFollower`.
   */
  readonly state: SessionState;
  /** How many messages, malformed lines and unexpected answers have arrived. The object is updated in place. */
  readonly counters: Readonly<HostCounters>;
  /** The tool calls and tool results that arrived, and which results are missing or superfluous. */
  readonly report: StreamReport;
  /** The cost and the tokens that the results have reported so far. */
  readonly usage: SessionUsage;
  /** When the last byte and the last message arrived. */
  readonly liveness: HostLiveness;
  /**
   * Aborts when no more messages can arrive. The abort reason explains why. Open requests reject with the same reason.
   */
  readonly signal: AbortSignal;
  /** Fulfils with a description of how the session ended, when all resources are released. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Sends a prompt. `members` are added to the user message, for example its `uuid`. Before you send many more prompts, await `accepted` of the
   * returned prompt, which fulfils when the queue has room.
   */
  prompt(content: PromptContent, members?: Readonly<Record<string, unknown>>): SentPrompt;
  /**
   * Iterates the messages up to and including the next result. Leaving the loop does not close the session. The next reader continues with the next
   * message.
   */
  untilResult(): AsyncIterableIterator<AgentMessage>;
  /**
   * Sends a control request and returns the payload of its answer. Rejects with a `ControlError` if the agent refuses. The `code` of this error is
   * the `error_code` of the answer. Rejects with a `TypeError` if the subtype is not a string. For a subtype that is not declared, pass the type of
   * the answer: `request<Plan>('get_plan')`.
   */
  request<Answer = unknown, Subtype extends string = string>(
    subtype: Exclude<Subtype, HostRequestSubtype>,
    members?: Readonly<Record<string, unknown>>,
    options?: RequestOptions<Answer>,
  ): Promise<Answer>;
  /** Sends a control request whose subtype is declared, so that the types of its members and its answer are known. Rejects like any other request. */
  // This overload comes last, because compilers report the error of the last overload.
  request<Subtype extends HostRequestSubtype, Answer = AnswerTo<Subtype>>(
    subtype: Subtype,
    ...rest: HostRequestArguments<Subtype, Answer>
  ): Promise<NotInferred<Answer>>;
  /** Waits until the agent has answered `initialize`, then ends the running turn. The turn still has a result. */
  interrupt(options?: InterruptOptions): Promise<InterruptReceipt>;
  /** Answers a question that a callback has left open. Returns `false` if the question was already answered or withdrawn. */
  respond(requestId: unknown, answer: unknown): boolean;
  /**
   * Sends `initialize` again, to an agent that has lost the first `initialize`. The host serves the agent's open requests again, unless it is still
   * serving them.
   */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  /** Replaces the MCP servers that run in this program. The agent is notified of the new servers. */
  setMcpServers(servers: InProcessMcpServers): Promise<unknown>;
  /**
   * Ends the agent's input after the last prompt, as soon as the agent is idle, no background task is running, and neither side has an unanswered
   * request. An agent that has sent every result but has not reported that it is idle counts as idle after 10 seconds of silence. Until the input
   * ends, turns can be controlled and the agent's requests are answered. Fulfils when the input has ended. If a callback calls `endInput` before its
   * first `await`, the promise fulfils at once. After an `await`, a callback must not await `endInput`, because the callback would wait for itself.
   */
  endInput(): Promise<void>;
  /** Ends the session, and fulfils when all resources are released. With `drain`, the same restriction applies to callbacks as for `endInput`. */
  close(options?: HostCloseOptions): Promise<void>;
  /** Ends the session now, and drops queued messages. Open requests reject with the reason. */
  abort(reason?: unknown): void;
}
