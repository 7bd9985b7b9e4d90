import { defineBackend } from './backend.ts';

/** The backend for any program that prints an answer, with or without `<event>` tags. Each run must name the program in its invocation. */
export const text = defineBackend({
  name: 'text',
  command: '',
  args: () => [],
});

/** The backend for Kiro CLI, whose output is meant for people only. */
export const kiro = defineBackend({
  name: 'kiro',
  command: 'kiro-cli',
  // 3: a required MCP server did not start. 4: the named agent does not exist.
  exitCodes: { 1: 'error', 3: 'error', 4: 'error' },
  args: ({ autoApprove }) => ['chat', '--no-interactive', ...(autoApprove ? ['--trust-all-tools'] : [])],
});
