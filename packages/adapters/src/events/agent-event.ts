/** Token counts, with the same meaning for every backend. */
export interface Usage {
  /** Tokens in the prompt that were not read from a cache. */
  readonly inputTokens: number;
  /** Tokens that the model wrote. */
  readonly outputTokens: number;
  /** Tokens in the prompt that were read from a cache. `inputTokens` does not include these tokens. */
  readonly cacheReadTokens: number;
  /** Tokens in the prompt that were written to a cache. 0 if the backend does not report this number. */
  readonly cacheWriteTokens: number;
  /** The part of `outputTokens` that was used for reasoning, if the backend reports it. */
  readonly reasoningTokens?: number | undefined;
}

/** How a run ended. `incomplete` means that the backend did not report success, and the run was not aborted. */
export type CompleteReason = 'success' | 'error' | 'max_turns' | 'aborted' | 'incomplete';

/** What a backend reports about the end of its run. */
export interface Outcome {
  /** How the run ended. */
  readonly reason: CompleteReason;
  /** The answer, if the backend repeats it at the end. */
  readonly text?: string | undefined;
  /** The error as text, if the run failed. */
  readonly error?: string | undefined;
  /** The id that the backend gave to the session. Pass it as `resume` to continue the session. */
  readonly sessionId?: string | undefined;
  /** The cost of the run in US dollars, if the backend reports it. */
  readonly costUsd?: number | undefined;
  /** The number of model turns in the run, if the backend reports it. */
  readonly turns?: number | undefined;
  /** The duration of the run in milliseconds, as the backend measured it. */
  readonly durationMs?: number | undefined;
}

/** Counts of the output that was read. */
export interface ReaderStats {
  /** The length of the output in bytes. */
  readonly bytes: number;
  /** Lines that are not blank, including malformed lines. */
  readonly lines: number;
  /** Blank lines. */
  readonly blank: number;
  /** Lines that yielded no event. Each of them was reported to `onMalformed`. */
  readonly malformed: number;
  /** Events, including `complete`. */
  readonly events: number;
  /** The number of records of each unknown type, by the name of the type. */
  readonly unknown: Readonly<Record<string, number>>;
}

/** The result of a run. Members that the backend does not report are derived from its output. */
export interface SessionResult extends Outcome {
  /** True only if `reason` is `success`. The backend must report success itself, because an exit code alone is not enough. */
  readonly ok: boolean;
  /** The answer that the backend reported at the end of the run. If the backend reported no answer, the text after the last tool call. */
  readonly text: string;
  /**
   * The tokens of the whole run. The value is the total that the backend reports or, without a total, the sum over all calls to the model. Absent if
   * the backend does not report tokens.
   */
  readonly usage?: Usage | undefined;
  /** The exit code of the program. `null` if a signal ended the program, or if the exit code is unknown. */
  readonly exitCode: number | null;
  /** The signal that ended the program, such as `SIGTERM`. `null` if no signal ended the program. */
  readonly signal: string | null;
  /** Whether the backend reported how its run ended. */
  readonly terminalEventSeen: boolean;
  /** Counts for the output that was read. */
  readonly stats: ReaderStats;
}

/** The origin of an event. */
export interface EventOrigin {
  /** The parsed record of the backend. Several events may come from the same record. Absent for text and for synthesised events. */
  readonly raw?: Readonly<Record<string, unknown>>;
  /** Present if the event does not come from a record, but was added to keep the order that consumers rely on. */
  readonly synthesised?: true;
}

/** A text that the model wrote, or a piece of such a text. Each character is delivered once. */
export interface ModelText {
  readonly text: string;
  /** True for a piece of a text, false for a whole block. */
  readonly delta: boolean;
  /** The reply that the text belongs to, if the backend reports it. */
  readonly messageId?: string | undefined;
  /** The tool call of the sub-agent that wrote the text. Undefined for the main agent. */
  readonly parentId?: string | undefined;
}

/** An event from a parser, before events are put in order. `parentId` is the tool call of the sub-agent that caused the event. */
export type ParsedEvent =
  | {
      readonly type: 'session_start';
      readonly sessionId?: string | undefined;
      readonly model?: string | undefined;
      readonly cwd?: string | undefined;
      readonly tools?: readonly string[] | undefined;
      readonly synthesised?: true;
    }
  | (ModelText & { readonly type: 'text' })
  | (ModelText & { readonly type: 'thinking' })
  | {
      readonly type: 'tool_call';
      /** The id of the call, which may contain any character. */
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly parentId?: string | undefined;
      readonly synthesised?: true;
    }
  | {
      readonly type: 'tool_progress';
      readonly id: string;
      readonly output?: string | undefined;
      readonly parentId?: string | undefined;
    }
  | {
      /** The result of a tool call. The result follows the call with the same id. */
      readonly type: 'tool_result';
      readonly id: string;
      readonly output: string;
      /** Whether the backend reports an error. Some backends do not report a failed command as an error. */
      readonly isError: boolean;
      /** The result in the backend's own format, if it is not just a string. */
      readonly content?: unknown;
      readonly parentId?: string | undefined;
    }
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      /** Whether the usage covers one call to the model (`step`), or all calls (`session`). */
      readonly scope: 'step' | 'session';
      readonly costUsd?: number | undefined;
    }
  | {
      /** An error, which is reported only once. Whether the run failed is known only at the end of the run. */
      readonly type: 'error';
      readonly message: string;
      /** Whether the backend gives up after this error. */
      readonly fatal: boolean;
      readonly code?: string | undefined;
      readonly status?: number | undefined;
    }
  | {
      readonly type: 'retry';
      readonly attempt?: number | undefined;
      readonly max?: number | undefined;
      readonly delayMs?: number | undefined;
      readonly message?: string | undefined;
      readonly status?: number | undefined;
    }
  | {
      /** A tag `<event topic="…" target="…">payload</event>` in the output of a text backend. */
      readonly type: 'tag_event';
      readonly topic: string;
      readonly target?: string | undefined;
      readonly payload: string;
    }
  /** A known record without model output. */
  | { readonly type: 'info'; readonly eventType: string }
  /** A record of a type that this version does not know. */
  | { readonly type: 'unknown'; readonly eventType: string };

/** An event of a run, in the same form for every backend. `complete` occurs exactly once, as the last event. */
export type AgentEvent = EventOrigin & (ParsedEvent | { readonly type: 'complete'; readonly result: SessionResult });

/** The events of one type. */
export type AgentEventOf<Type extends AgentEvent['type']> = AgentEvent & { readonly type: Type };
