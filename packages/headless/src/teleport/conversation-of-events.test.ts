import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { assistant } from '../run.test-support.ts';
import { EventConversation } from './conversation-of-events.ts';

const prompt = (uuid: string) => ({ source: 'client', payload: { type: 'user', uuid, message: { content: uuid } } });
const said = (uuid: string, members: object = {}) => ({
  source: 'worker',
  payload: { ...assistant(uuid), uuid, session_id: 's', ...members },
});
const lifecycle = (uuid: string, state: string) => ({
  source: 'worker',
  payload: { type: 'command_lifecycle', command_uuid: uuid, state, session_id: 's' },
});
const init = { source: 'worker', payload: { type: 'system', subtype: 'init', session_id: 's' } };
const echo = (uuid: string) => ({ source: 'worker', payload: { type: 'user', uuid, isReplay: true } });

function conversationOf(...events: readonly object[]) {
  const conversation = new EventConversation();
  for (const event of events) conversation.add(event);
  return conversation;
}

function idsOf(...events: readonly object[]) {
  const { messages, waiting } = conversationOf(...events).result;
  return [...messages.map(({ uuid }) => uuid), ...(waiting > 0 ? [`waiting: ${waiting}`] : [])];
}

verifies('PROGRAM-4', 'a prompt that arrived during a turn is placed where its own turn began', () => {
  const turns = [prompt('p1'), lifecycle('p1', 'queued'), lifecycle('p1', 'started'), init, prompt('p2')];
  const rest = [lifecycle('p2', 'queued'), said('a1'), lifecycle('p2', 'started'), init, said('a2')];
  expect(idsOf(...turns, ...rest)).toEqual(['p1', 'a1', 'p2', 'a2']);
});

test('without lifecycle events, echoes mark the turn of a prompt, and without echoes, init does', () => {
  expect(idsOf(prompt('p1'), echo('p1'), prompt('p2'), said('a1'), echo('p2'), said('a2'))).toEqual([
    'p1',
    'a1',
    'p2',
    'a2',
  ]);
  expect(idsOf(prompt('p1'), init, prompt('p2'), said('a1'), init, said('a2'))).toEqual(['p1', 'a1', 'p2', 'a2']);
});

test('cancelled prompts are left out, and waiting prompts are counted', () => {
  const begun = [prompt('p1'), prompt('p2'), prompt('p3'), lifecycle('p1', 'started'), init, said('a1')];
  expect(idsOf(...begun, lifecycle('p2', 'queued'), lifecycle('p2', 'cancelled'))).toEqual(['p1', 'a1', 'waiting: 1']);
  const reported = [lifecycle('p1', 'queued'), lifecycle('p2', 'queued'), lifecycle('p3', 'queued')];
  expect(idsOf(prompt('p1'), prompt('p2'), prompt('p3'), ...reported, lifecycle('p1', 'started'))).toEqual([
    'p1',
    'waiting: 2',
  ]);
});

test('a turn that is repeated after its worker died replaces the messages of the first attempt', () => {
  const cut = [prompt('p0'), lifecycle('p0', 'started'), said('a0'), prompt('p1'), prompt('p2')];
  const died = [lifecycle('p1', 'started'), lifecycle('p2', 'started'), said('lost')];
  const again = [lifecycle('p1', 'started'), lifecycle('p2', 'started'), said('a1')];
  expect(idsOf(...cut, ...died, ...again)).toEqual(['p0', 'a0', 'p1', 'p2', 'a1']);
});

test('messages of subagents, messages before a reset, and invalid messages are left out', () => {
  const aside = said('x', { parent_tool_use_id: 't1' });
  const reset = { source: 'worker', payload: { type: 'conversation_reset', session_id: 's2' } };
  const odd = [
    { source: 'worker', payload: null },
    { source: 'worker', payload: 7 },
    {},
    { source: 'client', payload: 'x' },
  ];
  const conversation = conversationOf(
    prompt('p0'),
    init,
    said('a0'),
    ...odd,
    reset,
    prompt('p1'),
    init,
    aside,
    said('a1', { session_id: 's3' }),
  );
  expect(conversation.result).toMatchObject({ sessionId: 's3', waiting: 0 });
  expect(conversation.result.messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1']);
});

test('a log without its beginning gives the conversation from its first prompt on', () => {
  const conversation = conversationOf(said('a0'), prompt('p1'), init, said('a1'));
  conversation.cutStart();
  expect(conversation.result.messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1']);
  const rest = conversationOf(said('a0'));
  rest.cutStart();
  expect(rest.result.messages).toEqual([]);
});
