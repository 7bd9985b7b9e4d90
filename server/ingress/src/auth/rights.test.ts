import { describe, expect, test } from 'vitest';
import { maySend } from './rights.ts';

const initialize = (members: object) => ({ request: { subtype: 'initialize', ...members } });
const approver = { name: 'approver', role: 'approver' } as const;

describe('an approver', () => {
  test.each([{}, { promptSuggestions: true, supportedDialogKinds: ['a'] }])('may initialize with %j', (members) => {
    expect(maySend(approver, 'control_request', initialize(members))).toBe(true);
  });

  test.each([
    { hooks: {} },
    { jsonSchema: {} },
    { systemPrompt: ['x'] },
    { appendSystemPrompt: 'x' },
    { agents: {} },
    { mcpServers: { x: { command: 'sh' } } },
    { sdkMcpServers: ['x'] },
    { plugins: [] },
    { skills: [] },
    { of_a_later_version: 1 },
  ])('may not change the agent by an initialize with %j', (members) => {
    expect(maySend(approver, 'control_request', initialize(members))).toBe(false);
  });
});
