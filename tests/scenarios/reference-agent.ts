import { runAgent } from '@proto/agent';
import type { Transport } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';

/** Is the reference agent over a transport, as the flags of its host ask. Settles when it has left. */
export async function beReferenceAgent(transport: Transport, args: readonly string[]): Promise<void> {
  const asked = args.includes('--permission-prompt-tool=stdio') ? { permissionPromptTool: 'stdio' } : {};
  // How it ends is the host's to judge.
  await runAgent(transport, {
    ...createReferenceAgent(asked),
    ...asked,
    includePartialMessages: args.includes('--include-partial-messages'),
  }).catch(() => {});
}
