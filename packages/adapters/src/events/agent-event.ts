/** Tokens, counted one way for every backend. */
export interface Usage {
  /** Tokens of the prompt that were not served from a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of `outputTokens` that went into reasoning, where the backend tells. */
  readonly reasoningTokens?: number | undefined;
}

/** How a run ended. `incomplete`: nothing said that it ended well, and nobody ended it. */
export type CompleteReason = 'success' | 'error' | 'max_turns' | 'aborted' | 'incomplete';

/** What a backend says of the end of its run. */
export interface Outcome {
  readonly reason: CompleteReason;
  /** The answer, where the backend repeats it at the end. */
  readonly text?: string | undefined;
  readonly error?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly costUsd?: number | undefined;
  readonly turns?: number | undefined;
  readonly durationMs?: number | undefined;
}

/** What was read. */
export interface ReaderStats {
  readonly bytes: number;
  /** Lines that are not blank, malformed ones included. */
  readonly lines: number;
  readonly blank: number;
  readonly malformed: number;
  /** Events handed out, the last one included. */
  readonly events: number;
  /** How often each type came that the parser does not know. */
  readonly unknown: Readonly<Record<string, number>>;
}

/** The end of a run: what the backend said, completed by what was seen. */
export interface SessionResult extends Outcome {
  /** True exactly when `reason` is `success`: by the backend's own word, not by its exit code alone. */
  readonly ok: boolean;
  /** As told at the end; else what was written after the last tool call. */
  readonly text: string;
  readonly usage?: Usage | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** False where the backend did not tell how its run ended. */
  readonly terminalEventSeen: boolean;
  readonly stats: ReaderStats;
}

/** Where an event comes from. */
export interface EventOrigin {
  /** The record of the backend, as parsed; several events may come from one. Absent for text and for what no record said. */
  readonly raw?: Readonly<Record<string, unknown>>;
  /** Present where no record says this and it was made up to keep the order that consumers rely on. */
  readonly synthesised?: true;
}

/** Text of the model, each character once. */
export interface SaidText {
  readonly text: string;
  /** A piece; else a whole block. */
  readonly delta: boolean;
  /** Where the backend tells, the reply it belongs to. */
  readonly messageId?: string | undefined;
  readonly parentId?: string | undefined;
}

/** What a parser makes of output, before it is put in order. `parentId` is the tool call within which a sub-agent did it. */
export type ParsedEvent =
  | {
      readonly type: 'session_start';
      readonly sessionId?: string | undefined;
      readonly model?: string | undefined;
      readonly cwd?: string | undefined;
      readonly tools?: readonly string[] | undefined;
      readonly synthesised?: true;
    }
  | (SaidText & { readonly type: 'text' })
  | (SaidText & { readonly type: 'thinking' })
  | {
      readonly type: 'tool_call';
      /** Opaque: may hold any character. */
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
      /** Comes after the call of the same id. */
      readonly type: 'tool_result';
      readonly id: string;
      readonly output: string;
      /** What the backend says; some do not count a failing command. */
      readonly isError: boolean;
      /** The result as the backend gave it, where that is more than a text. */
      readonly content?: unknown;
      readonly parentId?: string | undefined;
    }
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      /** Of one call of the model, or of all. */
      readonly scope: 'step' | 'session';
      readonly costUsd?: number | undefined;
    }
  | {
      /** Each message once. Only the end of the run tells whether it failed. */
      readonly type: 'error';
      readonly message: string;
      /** The backend will do no more for it. */
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
  /** Known, and no output of the model. */
  | { readonly type: 'info'; readonly eventType: string }
  /** Not known to this version. */
  | { readonly type: 'unknown'; readonly eventType: string };

/** One thing an agent did, whatever its own format is. `complete` comes exactly once, and last. */
export type AgentEvent = EventOrigin & (ParsedEvent | { readonly type: 'complete'; readonly result: SessionResult });

/** The event of one type. */
export type AgentEventOf<Type extends AgentEvent['type']> = AgentEvent & { readonly type: Type };
