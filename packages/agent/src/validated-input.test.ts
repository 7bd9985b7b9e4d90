import { expect, test } from 'vitest';
import type { AgentOptions } from './agent-options.ts';
import { agentPeer, user } from './agent-peer.test-support.ts';

/** Accepts only prompts of text, and removes the member `mood`. */
const validate: NonNullable<AgentOptions['validate']> = ({ mood: _, ...message }) => {
  const { content } = message['message'] as { readonly content: unknown };
  if (typeof content === 'string') return { message, dropped: [] };
  return { issues: [{ path: ['message', 'content'], message: 'expected string' }] };
};

test('a message that the validate function of an agent refuses is ignored, and the next one is answered', async () => {
  const { session, turn } = agentPeer({ validate });
  void session.emit(user(5));
  void session.emit(user('fine', { mood: 'glad' }));
  const said = JSON.stringify(await turn());
  expect(said).toContain('fine');
  expect(said.match(/"type":"result"/g)).toHaveLength(1);
});
