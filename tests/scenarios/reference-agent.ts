import { runAgent } from '@proto/agent';
import type { Transport } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';

/** Runs the reference agent over a transport with the flags of its host. Settles when the agent has ended. */
export async function beReferenceAgent(transport: Transport, args: readonly string[]): Promise<void> {
  const asksHost = args.includes('--permission-prompt-tool=stdio');
  const reference = createReferenceAgent(asksHost ? { permissionPromptTool: 'stdio' } : {});
  // The host decides how the session ends.
  await runAgent(transport, {
    ...reference,
    permissions: { ...reference.permissions, ...(asksHost && { promptTool: 'stdio' }) },
    output: { partialMessages: args.includes('--include-partial-messages') },
  }).catch(() => {});
}
