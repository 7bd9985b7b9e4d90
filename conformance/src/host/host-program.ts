import type { Inbox } from '@proto/testkit/steps';

/** Section "run" of docs/conformance-hosts.md describes each member for authors of adapters. */
export interface HostRun {
  readonly case: string;
  /** The file to start as the agent. */
  readonly agent: string;
  /** The texts to send. Each text is sent after the `result` of the previous text, or, with `together`, all texts are sent together. */
  readonly prompts: readonly HostPrompt[];
  readonly together: boolean;
  /** Whether the input stays open after the prompts until the user ends it. */
  readonly open: boolean;
  readonly options: HostRunOptions;
  /** The user's answers that are known before the question is asked, by kind of question. */
  readonly answers: Readonly<Record<string, HostAnswer>>;
}

/** A prompt of the user: a string, or a list of content blocks. */
export type HostPrompt = string | readonly unknown[];

export interface HostRunOptions {
  readonly permissions?: boolean | undefined;
  readonly hooks?: readonly { readonly event: string; readonly matcher?: string | undefined }[] | undefined;
  /** Names of MCP servers inside the program, each with the tool `echo`, which returns its argument `text`. */
  readonly servers?: readonly string[] | undefined;
  readonly elicitation?: boolean | undefined;
  readonly dialogs?: readonly string[] | undefined;
}

/** How the user answers: with a value, or by a function that throws. */
export type HostAnswer = { readonly value: unknown } | { readonly error: string };

export interface HostResult {
  /** The error that the user received. */
  readonly error?: string;
  /** Why the result is missing, for example because the program crashed or broke the rules for adapters. */
  readonly failure?: string;
}

export interface RunningHost {
  /** The events that the user sees: `message`, `question`, `called`, and at the end `result`. */
  readonly inbox: Inbox;
  readonly result: Promise<HostResult>;
  /** The user's answers, by question id. `undefined` if the program does not report the questions for the user. */
  readonly answers: ReadonlyMap<unknown, HostAnswer> | undefined;
  /**
   * Sends the program an order: the user does something.
   *
   * @throws if the program does not accept orders while it runs.
   */
  send(order: Readonly<Record<string, unknown>>): void;
  stop(): void;
}

export interface HostProgram {
  /** The command line of the program, for reports. */
  readonly description: string;
  /** The features of the program, by the names in docs/conformance-hosts.md. */
  readonly features: ReadonlySet<string>;
  start(run: HostRun): Promise<RunningHost>;
  close(): void;
}
