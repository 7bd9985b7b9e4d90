import { findError, type TransportClose, TransportError } from '@proto/core/transport';

/** How a child process ended. */
export interface ProcessEnd {
  /** The exit code. `null` if a signal ended the process, or if the process could not be started. */
  readonly exitCode: number | null;
  /** The signal that ended the process, such as `SIGTERM`. `null` if no signal ended the process. */
  readonly signal: string | null;
  /** The last part of the process's stderr as text: at most `maxStderrTailBytes` bytes. */
  readonly stderrTail: string;
  /** True if this side ended the child with a signal, because the child did not exit by itself or the transport was aborted. */
  readonly killed: boolean;
}

/** How a transport to a child process ended. */
export interface ProcessClose extends TransportClose {
  /** How the process ended. Absent if no process was started. */
  readonly process?: ProcessEnd;
}

/** Returns how the process of a transport ended, even if the transport is wrapped. Returns `undefined` if no process was started. */
export function processEndOf(close: TransportClose): ProcessEnd | undefined {
  return (close as ProcessClose).process;
}

/** Thrown if the executable of an agent was not found, or if this user may not execute the file. */
export class AgentNotFoundError extends TransportError {
  /** Always `agent-not-found`. */
  override readonly code = 'agent-not-found';
  /** Every path that was tried, in order. */
  readonly searched: readonly string[];
  /** What the user can do, in one or two sentences. */
  readonly hint: string;

  /** `where` describes the places that were searched, and `searched` contains their paths. */
  constructor(
    command: string,
    { searched, hint, where }: { readonly searched: readonly string[]; readonly hint: string; readonly where: string },
  ) {
    super('connect-failed', `stdio: no agent "${command}"${where}. ${hint}`, { retryable: false });
    this.searched = searched;
    this.hint = hint;
  }

  /** True for an `AgentNotFoundError` from any copy of this package. */
  static override is(value: unknown): value is AgentNotFoundError {
    return TransportError.is(value) && value.code === 'agent-not-found';
  }

  /** Returns the first `AgentNotFoundError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): AgentNotFoundError | undefined {
    return findError(error, AgentNotFoundError.is);
  }
}

/** Thrown if the folder to start the agent in does not exist. */
export class FolderNotFoundError extends TransportError {
  /** Always `cwd-not-found`. */
  override readonly code = 'cwd-not-found';

  constructor(folder: string) {
    super('connect-failed', `stdio: cannot start the agent in "${folder}": the folder does not exist`, {
      retryable: false,
    });
  }

  /** True for a `FolderNotFoundError` from any copy of this package. */
  static override is(value: unknown): value is FolderNotFoundError {
    return TransportError.is(value) && value.code === 'cwd-not-found';
  }

  /** Returns the first `FolderNotFoundError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): FolderNotFoundError | undefined {
    return findError(error, FolderNotFoundError.is);
  }
}

/** Thrown if a child could not be started (`connect-failed`), or ended with an error (`lost`). */
export class AgentProcessError extends TransportError implements ProcessEnd {
  /** `connect-failed` if the child could not be started, `lost` if the child ended with an error. */
  declare readonly code: 'connect-failed' | 'lost';
  /** The exit code. `null` if a signal ended the child, or if the child could not be started. */
  readonly exitCode: number | null;
  /** The signal that ended the child, such as `SIGKILL`. `null` if no signal ended the child. */
  readonly signal: string | null;
  /** The last part of the child's stderr as text: at most `maxStderrTailBytes` bytes. */
  readonly stderrTail: string;
  /** True if this side ended the child with a signal. */
  readonly killed: boolean;

  constructor(code: 'connect-failed' | 'lost', what: string, end: ProcessEnd, cause?: unknown) {
    const status = end.exitCode !== null && { status: end.exitCode };
    super(code, `stdio: ${what}`, { ...status, ...(cause !== undefined && { cause }) });
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderrTail = end.stderrTail;
    this.killed = end.killed;
  }

  /** True for an `AgentProcessError` from any copy of this package. */
  static override is(value: unknown): value is AgentProcessError {
    return TransportError.is(value) && 'stderrTail' in value;
  }

  /** Returns the first `AgentProcessError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): AgentProcessError | undefined {
    return findError(error, AgentProcessError.is);
  }
}
