import type { CompleteReason } from '../events/agent-event.ts';
import { createClaudeParser } from '../parsers/claude-parser.ts';
import type { OutputParser, TextParser } from '../parsers/output-parser.ts';
import { createTextParser } from '../parsers/text-parser.ts';

/** How the prompt is passed to a backend. With `arg`, the prompt is the last argument, which may follow a `terminator` or a `flag`. */
export type PromptMode =
  | { readonly kind: 'stdin' }
  | { readonly kind: 'arg'; readonly flag?: string; readonly join?: '=' | ' '; readonly terminator?: '--' }
  | { readonly kind: 'none' };

/** The format of the output: `text`, `stream-json` (Claude's JSON lines), or another name, which requires `createParser`. */
export type OutputFormat = 'text' | 'stream-json' | (string & {});

/** The options for one run, which are the same for every backend. */
export interface RunOptions {
  /** The prompt for the run. */
  readonly prompt: string;
  /** The working directory of the program. Default: the working directory of this process. */
  readonly cwd?: string;
  /** The name of the model, as the program spells it. Must not begin with a dash. Default: the program's default model. */
  readonly model?: string;
  /** The id of the session to continue. */
  readonly resume?: string;
  /** Whether the agent acts without asking for permission, which is dangerous. Default false. */
  readonly autoApprove?: boolean;
  /** Whether to stream text in pieces, if the backend supports this. Default false. */
  readonly partial?: boolean;
  /**
   * Further arguments. These arguments are passed unchanged, after the arguments of the backend and before the prompt, if the prompt is an argument.
   */
  readonly extraArgs?: readonly string[];
}

/** The declaration of a backend. */
export interface BackendDeclaration {
  /** The name of the backend in a registry and in error messages, such as `codex`. */
  readonly name: string;
  /** The name of the program, which is looked up in the PATH. Empty if each run must name the program in its invocation. */
  readonly command: string;
  /** The format of the output. Default `text`. */
  readonly outputFormat?: OutputFormat;
  /**
   * How the prompt is passed to the program. Default: on stdin, which accepts prompts of any length and hides them from other users of the machine.
   */
  readonly promptMode?: PromptMode;
  /** Variables to add to the program's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The meaning of exit codes. Exit codes are used for runs whose output contains no outcome, and to refine the reason `error`. */
  readonly exitCodes?: Readonly<Record<number, CompleteReason>>;
  /** Whether the backend was written from documentation only, without a recording of the program. Default false. */
  readonly experimental?: boolean;
  /** Returns the arguments for a run, without the prompt. Must have no side effects. */
  args(options: RunOptions): readonly string[];
  /** Creates a parser for one run. Default: determined by `outputFormat`. */
  createParser?(options: RunOptions): OutputParser | TextParser;
}

/** An agent program: how to start it, and how to parse its output. */
export type AgentBackend = Required<Omit<BackendDeclaration, 'exitCodes' | 'env'>> &
  Pick<BackendDeclaration, 'exitCodes' | 'env'>;

const parsers: Readonly<Record<string, () => OutputParser | TextParser>> = {
  text: () => createTextParser(),
  'stream-json': () => createClaudeParser(),
};

/** Creates a backend from a declaration, using defaults. @throws {TypeError} if the format is not built in and `createParser` is missing. */
export function defineBackend(declaration: BackendDeclaration): AgentBackend {
  const { name, outputFormat = 'text' } = declaration;
  const createParser =
    declaration.createParser ?? (Object.hasOwn(parsers, outputFormat) ? parsers[outputFormat] : undefined);
  if (createParser === undefined)
    throw new TypeError(`backend ${name}: the format ${outputFormat} needs the member createParser`);
  return { promptMode: { kind: 'stdin' }, experimental: false, ...declaration, outputFormat, createParser };
}
