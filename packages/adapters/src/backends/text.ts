import { defineBackend } from './backend.ts';

/** Any program that prints an answer, with `<event>` tags or without. It names none: one is given with the invocation. */
export const text = defineBackend({
  name: 'text',
  command: '',
  args: () => [],
});

/** Kiro CLI, which prints a transcript for people and nothing else. */
export const kiro = defineBackend({
  name: 'kiro',
  command: 'kiro-cli',
  // 3: an MCP server it needs did not start. 4: no agent of that name.
  exitCodes: { 1: 'error', 3: 'error', 4: 'error' },
  args: ({ autoApprove }) => ['chat', '--no-interactive', ...(autoApprove ? ['--trust-all-tools'] : [])],
});
