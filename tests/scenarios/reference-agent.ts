import { runAgent } from '@proto/agent';
import type { Transport } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';

/** Runs the reference agent over a transport with the flags of its host. Settles when the agent has ended. */
export async function beReferenceAgent(transport: Transport, args: readonly string[]): Promise<void> {
  const asked = args.includes('--permission-prompt-tool=stdio') ? { permissionPromptTool: 'stdio' } : {};
  // The host decides how the session ends.
  await runAgent(transport, {
    ...createReferenceAgent(asked),
    ...asked,
    includePartialMessages: args.includes('--include-partial-messages'),
  }).catch(() => {});
}
