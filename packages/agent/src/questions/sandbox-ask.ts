import type { PermissionPrompt, PermissionSession } from '../permissions/ask-host.ts';
import { permissionAnswer, permissionRequest } from '../permissions/permission-request.ts';

/** Stands in place of a tool where the sandbox asks; no tool may have this name. */
export const SANDBOX_NETWORK_ACCESS = 'SandboxNetworkAccess';

/** What a question for the network is sent with, and who hears of it. */
export interface SandboxAskOptions {
  readonly session: PermissionSession;
  /** Called before the question is sent; the id is the one on the wire. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when that question is decided, before the answer is given. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/** Whether a command in the sandbox may connect to a host. Never rejects: true is the user's answer, false all else. */
export type SandboxAsk = (host: string, signal?: AbortSignal) => Promise<boolean>;

/** Makes the function that asks the host whether the sandbox may connect. */
export function createSandboxAsk(options: SandboxAskOptions): SandboxAsk {
  const { session, onPermissionPrompt, onPermissionSettled } = options;

  async function ask(host: string, signal: AbortSignal | undefined): Promise<boolean> {
    const requestId = session.createId();
    // No call of the model's: an id of its own keeps the answer from being a duplicate of another.
    const call = { tool: SANDBOX_NETWORK_ACCESS, input: { host }, toolUseID: session.createId() };
    const description = `Allow network connection to ${host}?`;
    onPermissionPrompt?.({ ...call, requestId });
    try {
      const result = await session.request(permissionRequest(call, { behavior: 'ask', request: { description } }), {
        requestId,
        schema: permissionAnswer,
        ...(signal && { signal }),
      });
      return result.behavior === 'allow';
    } finally {
      onPermissionSettled?.(requestId);
    }
  }

  return (host, signal) => ask(host, signal).catch(() => false);
}
