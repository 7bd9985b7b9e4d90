import { type TransportClose, TransportError } from '@proto/core/transport';

/** How a child process ended. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last of what it wrote on stderr. */
  readonly stderrTail: string;
  /** True when it had to be ended, by a signal of this side: it did not leave by itself, or was aborted. */
  readonly forced: boolean;
}

/** How a transport to a child process ended. */
export interface ProcessClose extends TransportClose {
  /** Absent where no process was started. */
  readonly process?: ProcessEnd;
}

/** How the process under a transport ended, also where the transport was wrapped; undefined where there was no process. */
export function processEndOf(close: TransportClose): ProcessEnd | undefined {
  return (close as ProcessClose).process;
}

/** There is no such executable. */
export class AgentNotFoundError extends TransportError {
  override readonly code = 'agent-not-found';
  /** Every path that was looked at, in order. */
  readonly searched: readonly string[];
  /** What to do about it. */
  readonly hint: string;

  /** `where` says in a few words where the executable was looked for; the paths themselves are in `searched`. */
  constructor(
    command: string,
    { searched, hint, where }: { readonly searched: readonly string[]; readonly hint: string; readonly where: string },
  ) {
    super('connect-failed', `stdio: no agent "${command}"${where}. ${hint}`, { retryable: false });
    this.searched = searched;
    this.hint = hint;
  }

  /** The given error, or the first of its causes, that is an `AgentNotFoundError` of any copy of this package. */
  static find(error: unknown): AgentNotFoundError | undefined {
    return among(error, ({ code }) => code === 'agent-not-found') as AgentNotFoundError | undefined;
  }
}

/** The folder to start the agent in does not exist. */
export class FolderNotFoundError extends TransportError {
  override readonly code = 'cwd-not-found';

  constructor(folder: string) {
    super('connect-failed', `stdio: no folder "${folder}" to start the agent in`, { retryable: false });
  }
}

/** The child did not start (`connect-failed`), or did not end well (`lost`). */
export class AgentProcessError extends TransportError implements ProcessEnd {
  declare readonly code: 'connect-failed' | 'lost';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
  readonly forced: boolean;

  constructor(code: 'connect-failed' | 'lost', what: string, end: ProcessEnd, cause?: unknown) {
    const status = end.exitCode !== null && { status: end.exitCode };
    super(code, `stdio: ${what}`, { ...status, ...(cause !== undefined && { cause }) });
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderrTail = end.stderrTail;
    this.forced = end.forced;
  }

  /** The given error, or the first of its causes, that is an `AgentProcessError` of any copy of this package. */
  static find(error: unknown): AgentProcessError | undefined {
    return among(error, (one) => 'stderrTail' in one) as AgentProcessError | undefined;
  }
}

// A chain of causes that never ends is somebody's mistake, and no reason to hang.
const MAX_CAUSES = 100;

function among(value: unknown, isIt: (error: TransportError) => boolean, depth = 0): TransportError | undefined {
  if (TransportError.is(value) && isIt(value)) return value;
  return value instanceof Error && depth < MAX_CAUSES ? among(value.cause, isIt, depth + 1) : undefined;
}
