import { type ProcessEnd, TransportError, type TransportErrorCode } from '@proto/core/transport';

/** There is no such executable. */
export interface AgentNotFound extends TransportError {
  readonly code: 'agent-not-found';
  /** Every path that was looked at, in order. */
  readonly searched: readonly string[];
  /** What to do about it. */
  readonly hint: string;
}

/** The child did not start (`connect-failed`), or did not end well (`lost`). */
export interface ConnectionFailure extends TransportError, ProcessEnd {
  readonly code: 'connect-failed' | 'lost';
}

/** The error, or the first of its causes, that says where an agent was looked for. */
export function asAgentNotFound(value: unknown): AgentNotFound | undefined {
  return among(value, (error) => error.code === 'agent-not-found') as AgentNotFound | undefined;
}

/** The error, or the first of its causes, that says how a child ended. */
export function asConnectionFailure(value: unknown): ConnectionFailure | undefined {
  return among(value, (error) => 'stderrTail' in error) as ConnectionFailure | undefined;
}

/** `where` says in a few words where it was looked for; the paths themselves are in `searched`. */
export function agentNotFound(
  command: string,
  { searched, hint, where }: { readonly searched: readonly string[]; readonly hint: string; readonly where: string },
): AgentNotFound {
  const error = new TransportError('agent-not-found', `stdio: no agent "${command}"${where}. ${hint}`);
  return Object.assign(error, { searched, hint }) as AgentNotFound;
}

export function connectionFailure(
  code: TransportErrorCode,
  what: string,
  end: ProcessEnd,
  cause?: unknown,
): TransportError {
  const status = end.exitCode !== null && { status: end.exitCode };
  return Object.assign(
    new TransportError(code, `stdio: ${what}`, { ...status, ...(cause !== undefined && { cause }) }),
    end,
  );
}

/** A chain of causes that never ends is cut: it is somebody's mistake, and no reason to hang. */
function among(value: unknown, isIt: (error: TransportError) => boolean, depth = 0): TransportError | undefined {
  if (TransportError.is(value) && isIt(value)) return value;
  return value instanceof Error && depth < 100 ? among(value.cause, isIt, depth + 1) : undefined;
}
