import type { WireMessage } from '@proto/core/framing';
import type {
  AgentMessage,
  ElicitationResult,
  PermissionResult,
  PromptContent,
  SDKControlElicitationRequest,
  SDKControlPermissionRequest,
  SDKControlRequestUserDialogRequest,
  UserDialogResult,
} from '@proto/core/messages';
import type { PromptState } from '../prompts/prompt-delivery.ts';
import type { SessionState } from '../state/session-tracker.ts';
import type { SessionUsage } from '../state/usage.ts';

/** A content block as the agent sent it. Only `type` is certain. */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * A session at one moment, as plain data to show. A snapshot never changes. A part that did not change since an earlier snapshot is the same object
 * as in that snapshot. Every text is untrusted: show it as text, never as HTML. Times are milliseconds since 1970.
 */
export interface SessionSnapshot {
  /** The turns, oldest first. A turn that is running is the last one. */
  readonly turns: readonly Turn[];
  /** Whether the oldest turns were dropped, because the session has more than `maxItems` items. */
  readonly isTruncated: boolean;
  /** The blocks that are being written, in the order in which they began. A block leaves this list when it is complete and becomes an item. */
  readonly streaming: readonly StreamingBlock[];
  /** The prompts whose turn has not begun, oldest first. A prompt with the state `lost` stays here; a cancelled prompt leaves. */
  readonly queue: readonly PromptItem[];
  /** The questions to a person that are waiting for an answer, oldest first. */
  readonly questions: readonly Question[];
  /** The background tasks, oldest first. A task that has ended stays in the list; above 1000 tasks, the oldest ended task is dropped. */
  readonly tasks: readonly BackgroundTask[];
  /** The agent's current list of things to do; empty if it has none. */
  readonly todos: readonly Todo[];
  /** The last plan that the agent has presented, as Markdown. */
  readonly plan: string | undefined;
  /** Whether the agent is working. `requires_action` means that a question is waiting. */
  readonly status: SessionState['session'];
  /** What the agent is doing between two items; undefined if it has not said. */
  readonly activity: Activity | undefined;
  /** The connection to the agent or to its server. */
  readonly link: LinkStatus;
  /** The cost and the tokens that the results have reported. */
  readonly usage: SessionUsage;
  /** How many tokens the last reply of the main conversation needed in the context window; 0 before the first reply. */
  readonly contextTokens: number;
  /** What is known about the agent and its settings. */
  readonly info: SessionInfo;
  /** The agent's suggestion for the next prompt, until the next turn begins. */
  readonly suggestion: string | undefined;
  /** The messages of unknown type. */
  readonly unknown: UnknownMessages;
}

/** One turn: the prompts that it answers, and everything that happened until its result. */
export interface Turn {
  /** Unique in the session: `turn-1`, `turn-2` and so on. */
  readonly id: string;
  /** What happened, in order. */
  readonly items: readonly Item[];
  /** How the turn ended; undefined while it is running. */
  readonly outcome: 'success' | 'error' | 'interrupted' | undefined;
  /** The result message, as the agent sent it and unchecked; undefined while the turn is running. */
  readonly result: Extract<AgentMessage, { readonly type: 'result' }> | undefined;
  /** When the turn began. */
  readonly startedAt: number;
  /** When the result arrived; undefined while the turn is running. */
  readonly endedAt: number | undefined;
}

/** A part of a turn, or of a subagent's work. Distinguish items by their `kind`. */
export type Item = PromptItem | TextItem | ThinkingItem | CallItem | NoticeItem | BlockItem;

/** A prompt. */
export interface PromptItem {
  readonly kind: 'prompt';
  /** The `uuid` of the prompt, or `prompt-1` and so on for a prompt that has none. */
  readonly id: string;
  /** The content of the prompt. */
  readonly content: PromptContent;
  /** How far the prompt has come. For a prompt of another client, the first state is `delivered`. */
  readonly state: PromptState;
}

/** A text that the agent wrote for the user. */
export interface TextItem {
  readonly kind: 'text';
  /** Unique in the session. */
  readonly id: string;
  /** The text, as Markdown. */
  readonly text: string;
  /** The category of the error, if the text reports an error of the model's API. */
  readonly error: string | undefined;
  /** Whether an interrupt ended the text, so that it may end in the middle of a word. */
  readonly isAborted: boolean;
}

/** What the model thought. */
export interface ThinkingItem {
  readonly kind: 'thinking';
  /** Unique in the session. */
  readonly id: string;
  /** The thoughts; empty if the agent does not show them. */
  readonly text: string;
}

/** A tool call. */
export interface CallItem {
  readonly kind: 'call';
  /** The id of the tool call. */
  readonly id: string;
  /** The name of the tool; empty if only the call's result or messages of its subagent have arrived. */
  readonly name: string;
  /** The input of the tool. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `stopped` means that the turn ended before the call had a result. */
  readonly state: 'running' | 'done' | 'failed' | 'denied' | 'stopped';
  /** The result for the model: a text or content blocks; undefined if there is none yet. */
  readonly result: string | readonly ContentBlock[] | undefined;
  /** The result for programs, as the tool returned it; undefined if the agent did not send it. */
  readonly output: unknown;
  /** How long the tool has been running, in seconds, as the agent last reported; undefined if it has not reported. */
  readonly elapsedSeconds: number | undefined;
  /** What the subagent of this call did, in order; empty for other tools. */
  readonly items: readonly Item[];
  /** When the call arrived. */
  readonly startedAt: number;
  /** When the call ended; undefined while it is running. */
  readonly endedAt: number | undefined;
}

/** Something that the agent reports to the user: a warning, the output of a command, a compacted conversation. */
export interface NoticeItem {
  readonly kind: 'notice';
  /** Unique in the session. */
  readonly id: string;
  /** How important the notice is. */
  readonly level: 'info' | 'warning' | 'error';
  /** One or more lines; empty if the message has no text. */
  readonly text: string;
  /** The message, with all details. */
  readonly message: WireMessage;
}

/** A content block of another kind, such as an image. */
export interface BlockItem {
  readonly kind: 'block';
  /** Unique in the session. */
  readonly id: string;
  /** The block as the agent sent it. */
  readonly block: ContentBlock;
}

/** A block that is being written. */
export interface StreamingBlock {
  /** Unique among the blocks that are being written. */
  readonly id: string;
  /** The id of the tool call whose subagent is writing; undefined for the main conversation. */
  readonly callId: string | undefined;
  /** What kind of item the block becomes. */
  readonly kind: 'text' | 'thinking' | 'call';
  /** What has been written so far. For a call, it is the beginning of the JSON of its input. */
  readonly text: string;
  /** The name of the tool, for a call; otherwise empty. */
  readonly name: string;
}

/** A background task: a subagent, a command that runs in the background, or another kind. */
export interface BackgroundTask {
  /** The id of the task. */
  readonly id: string;
  /** The kind of task, such as `local_agent` and `local_bash`; empty if unknown. */
  readonly type: string;
  /** What the task is for; empty if unknown. */
  readonly description: string;
  /** `stopped` means that the task was stopped, or that the agent no longer lists it. */
  readonly status: 'running' | 'paused' | 'completed' | 'failed' | 'stopped';
  /** The tool call that started the task; undefined if it is not known. */
  readonly callId: string | undefined;
  /** The last summary of the task; empty if the agent did not send one. */
  readonly summary: string;
  /** Whether the task should not be shown as work of the agent. */
  readonly isAmbient: boolean;
}

/** One entry of the agent's list of things to do. */
export interface Todo {
  /** What is to be done. */
  readonly content: string;
  /** How far it is. An unknown status counts as `pending`. */
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** What the agent is doing between two items. */
export type Activity =
  | { readonly kind: 'requesting' }
  | { readonly kind: 'compacting' }
  | { readonly kind: 'retrying'; readonly attempt: number; readonly maxRetries: number; readonly delayMs: number };

/** The state of the connection. */
export interface LinkStatus {
  /** `connecting` until the first connection, and `ended` when no more messages can arrive. A view without a session has the state `up`. */
  readonly state: 'connecting' | 'up' | 'down' | 'ended';
  /** Since when the connection has been in this state; undefined before the first change. */
  readonly since: number | undefined;
  /** The error that ended the session; undefined if there was none. */
  readonly error: unknown;
}

/** What is known about the agent and its settings. A member is undefined until the agent has reported it. */
export interface SessionInfo {
  readonly sessionId: string | undefined;
  readonly title: string | undefined;
  readonly model: string | undefined;
  /** The permission mode, such as `default`, `plan` and `acceptEdits`. */
  readonly permissionMode: string | undefined;
  readonly cwd: string | undefined;
  readonly agentVersion: string | undefined;
  readonly tools: readonly string[];
  /** The names of the slash commands. */
  readonly commands: readonly string[];
  readonly mcpServers: readonly { readonly name: string; readonly status: string }[];
  /** The limits of the user's plan, as the agent last reported them. */
  readonly rateLimit: Readonly<Record<string, unknown>> | undefined;
}

/** The messages of unknown type. */
export interface UnknownMessages {
  /** How many have arrived. */
  readonly count: number;
  /** The last 20 of them. */
  readonly last: readonly WireMessage[];
}

/** A question to a person. Distinguish questions by their `kind`. */
export type Question = PermissionQuestion | ElicitationQuestion | DialogQuestion;

interface AnyQuestion {
  /** The id of the agent's request. */
  readonly id: string;
  /** When the question arrived. */
  readonly askedAt: number;
}

/**
 * Asks whether a tool may be called. The functions of a question return `false` if the question is already answered or withdrawn, or if it cannot be
 * answered through this view, because it comes from a recording.
 */
export interface PermissionQuestion extends AnyQuestion {
  readonly kind: 'permission';
  /** The request of the agent: the tool, its input, and texts to show. */
  readonly request: SDKControlPermissionRequest;
  /** Allows the call, also with another input, or with rules for later calls. */
  allow(changes?: Omit<Extract<PermissionResult, { readonly behavior: 'allow' }>, 'behavior'>): boolean;
  /** Denies the call. The agent gets the message, by default that the user refused. With `interrupt`, the turn ends. */
  deny(message?: string, options?: { readonly interrupt?: boolean }): boolean;
}

/** A question of an MCP server to the user. */
export interface ElicitationQuestion extends AnyQuestion {
  readonly kind: 'elicitation';
  /** The request of the agent: the message, and the form or the address. */
  readonly request: SDKControlElicitationRequest;
  /** Answers the question. */
  answer(answer: ElicitationResult): boolean;
}

/** A dialog of the agent, of one of the kinds that were given as `dialogKinds`. */
export interface DialogQuestion extends AnyQuestion {
  readonly kind: 'dialog';
  /** The request of the agent: the kind of the dialog, and what it shows. */
  readonly request: SDKControlRequestUserDialogRequest;
  /** Answers the dialog. */
  answer(answer: UserDialogResult): boolean;
}
