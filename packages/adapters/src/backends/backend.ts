import type { CompleteReason } from '../events/agent-event.ts';
import { createClaudeParser } from '../parsers/claude-parser.ts';
import type { OutputParser, TextParser } from '../parsers/output-parser.ts';
import { createTextParser } from '../parsers/text-parser.ts';

/** How a backend is given its prompt. With `arg` it comes last: alone, behind a `terminator`, or behind a `flag`. */
export type PromptMode =
  | { readonly kind: 'stdin' }
  | { readonly kind: 'arg'; readonly flag?: string; readonly join?: '=' | ' '; readonly terminator?: '--' }
  | { readonly kind: 'none' };

/** `text`, `stream-json` (Claude's JSON lines), or a name of the backend's own, which needs a parser of its own. */
export type OutputFormat = 'text' | 'stream-json' | (string & {});

/** One run, in terms that every backend has. */
export interface RunOptions {
  readonly prompt: string;
  readonly cwd?: string;
  readonly model?: string;
  /** Id of the session to continue. */
  readonly resume?: string;
  /** Lets the agent act without asking: a hole, so never the default. */
  readonly autoApprove?: boolean;
  /** Asks for text while it is written, from backends that have the choice. */
  readonly partial?: boolean;
  readonly extraArgs?: readonly string[];
}

/** What a backend declares. */
export interface BackendDeclaration {
  readonly name: string;
  /** The program, found on the PATH; empty where it takes an invocation to say which. */
  readonly command: string;
  /** Default `text`. */
  readonly outputFormat?: OutputFormat;
  /** Default stdin: the one way that takes any prompt of any length, and that no other user of the machine can read. */
  readonly promptMode?: PromptMode;
  /** Set for the program, on top of the environment it gets anyway. */
  readonly env?: Readonly<Record<string, string>>;
  /** What exit codes mean, for runs that end without a word and to tell errors apart. */
  readonly exitCodes?: Readonly<Record<number, CompleteReason>>;
  /** Made after documents: no recording of the program was at hand. */
  readonly experimental?: boolean;
  /** Arguments for a run, without the prompt. Must be pure. */
  args(options: RunOptions): readonly string[];
  /** A parser for one run. Default: by `outputFormat`. */
  createParser?(options: RunOptions): OutputParser | TextParser;
}

/** An agent program: how it is started, and how its output is understood. */
export type AgentBackend = Required<Omit<BackendDeclaration, 'exitCodes' | 'env'>> &
  Pick<BackendDeclaration, 'exitCodes' | 'env'>;

const parsers: Readonly<Record<string, () => OutputParser | TextParser>> = {
  text: () => createTextParser(),
  'stream-json': () => createClaudeParser(),
};

/** Completes a declaration. Throws `TypeError` for a format that needs a parser and has none. */
export function defineBackend(declaration: BackendDeclaration): AgentBackend {
  const { name, outputFormat = 'text' } = declaration;
  const createParser =
    declaration.createParser ?? (Object.hasOwn(parsers, outputFormat) ? parsers[outputFormat] : undefined);
  if (createParser === undefined) throw new TypeError(`backend ${name}: the format ${outputFormat} needs createParser`);
  return { promptMode: { kind: 'stdin' }, experimental: false, ...declaration, outputFormat, createParser };
}
