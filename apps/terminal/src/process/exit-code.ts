import { TransportError } from '@proto/core/transport';

/** The exit codes of a command that hosts an agent. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  unreachable: 4,
  agentError: 5,
  invalid: 6,
  timeout: 7,
  idle: 7,
  permission: 8,
  gap: 9,
  interrupted: 130,
  terminated: 143,
} as const;

/** How the run of an agent ended. */
export interface RunEnd {
  /** The last result of the agent. */
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: unknown;
  /** What stopped the run: the user, the system, or a time limit. */
  readonly stopped?: 'interrupted' | 'terminated' | 'timeout' | 'idle' | undefined;
  /** Whether a permission was needed but no user was available, or a rule denied a call and denials count as failures. */
  readonly refused: boolean;
}

/** Returns the exit code of a run. A stop by the user has priority, then an error, then the agent's result. */
export function exitCodeOf({ result, error, stopped, refused }: RunEnd): number {
  if (stopped !== undefined) return EXIT[stopped];
  if (error !== undefined) return codeOfError(error);
  if (refused) return EXIT.permission;
  if (result === undefined) return EXIT.failed;
  return result['is_error'] === true ? EXIT.agentError : EXIT.ok;
}

function codeOfError(error: unknown): number {
  if (!TransportError.is(error)) return EXIT.failed;
  if (['agent-not-found', 'connect-failed'].includes(error.code)) return EXIT.unreachable;
  if (error.code === 'cwd-not-found') return EXIT.usage;
  return error.status === undefined || error.status === 0 ? EXIT.failed : EXIT.agentError;
}
