/** The transcript entries that a host with its own session store gets. */
import type { WireMessage } from '@proto/core/framing';
import { expect, test } from 'vitest';
import { agentPeer, assistant, kinds, toolResult, toolUse, untilAborted, user } from '../agent-peer.test-support.ts';
import type { RunTurn } from '../turns/turn.ts';

const mirror = { filePath: '/config/projects/-work/session-1.jsonl', cwd: '/work', version: '2.1.328' };
const uuidOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

/** The mirrored entries, by frame. */
function framesIn(messages: readonly WireMessage[]): readonly (readonly WireMessage[])[] {
  const frames = messages.filter(({ type }) => type === 'transcript_mirror');
  return frames.map(({ entries }) => entries as readonly WireMessage[]);
}

const entriesIn = (messages: readonly WireMessage[]) => framesIn(messages).flat();
const textsOf = (entries: readonly WireMessage[]) =>
  entries.map(({ message }) => {
    const { content } = message as { readonly content: string | readonly { readonly text: string }[] };
    return typeof content === 'string' ? content : content[0]?.text;
  });

/** Expects each entry to name the entry before it. */
function expectChain(entries: readonly WireMessage[], first: unknown = null): void {
  expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([first, ...entries.slice(0, -1).map(({ uuid }) => uuid)]);
}

const callsTool: RunTurn = async function* () {
  yield { type: 'stream_event', event: { type: 'message_start' }, parent_tool_use_id: null };
  yield toolUse('Bash', 't1');
  yield { ...assistant('aside'), parent_tool_use_id: 't1' };
  yield toolResult('t1', 'done');
  yield { type: 'system', subtype: 'status', status: null };
  yield assistant('said');
};

test('the entries of a turn are mirrored as they are added, and all of them before its result', async () => {
  const { session, rest } = agentPeer({ session: { mirror }, runTurn: callsTool });
  void session.emit(user('go', { uuid: uuidOf(1) }));
  const messages = await rest();
  expect(kinds(messages).filter((kind) => !kind.startsWith('command_lifecycle'))).toEqual([
    'system/init',
    'transcript_mirror',
    'assistant',
    'transcript_mirror',
    'assistant',
    'user',
    'transcript_mirror',
    'system/status',
    'assistant',
    'transcript_mirror',
    'result/success',
  ]);
  const [frame] = messages.filter(({ type }) => type === 'transcript_mirror');
  expect(Object.keys(frame ?? {})).toEqual(['type', 'filePath', 'entries']);
  expect(frame?.['filePath']).toBe(mirror.filePath);
  const entries = entriesIn(messages);
  expectChain(entries);
  const said = messages.filter(({ type, parent_tool_use_id: of }) => type === 'assistant' && of === null);
  expect(entries).toMatchObject([
    { type: 'user', uuid: uuidOf(1), message: { role: 'user', content: 'go' } },
    { type: 'assistant', uuid: said[0]?.['uuid'], message: said[0]?.['message'], timestamp: said[0]?.['timestamp'] },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] } },
    { type: 'assistant', uuid: said[1]?.['uuid'] },
  ]);
  for (const entry of entries) {
    const { cwd, version } = mirror;
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(entry).toMatchObject({ sessionId: 'session-1', cwd, version, timestamp, isSidechain: false });
    expect(entry).not.toHaveProperty('session_id');
  }
});

test('prompts that run together are mirrored in one batch, and each turn continues the chain', async () => {
  const { session, turn, rest } = agentPeer({ session: { mirror } });
  void session.emit(user('one'));
  const first = await turn();
  void session.emit(user('remember', { shouldQuery: false }));
  const remembered = await turn();
  expect(kinds(remembered)).toEqual(['transcript_mirror', 'result/success']);
  for (const text of ['two', 'three', 'four']) void session.emit(user(text));
  const messages = [...first, ...remembered, ...(await rest())];
  expectChain(entriesIn(messages));
  expect(textsOf(entriesIn(messages))).toEqual([
    'one',
    'one',
    'remember',
    'two',
    'two',
    'three',
    'four',
    'three\nfour',
  ]);
  expect(framesIn(messages).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 2, 1]);
});

test('the messages of an interrupted turn and its marker are mirrored before the result', async () => {
  const { session, until, turn } = agentPeer({ session: { mirror }, runTurn: untilAborted });
  void session.emit(user('go'));
  const begun = await until(({ type }) => type === 'assistant');
  void session.request({ subtype: 'interrupt' });
  const entries = entriesIn([...begun, ...(await turn())]);
  expect(textsOf(entries)).toEqual(['go', 'working', 'cut', '[Request interrupted by user]']);
  expectChain(entries);
});

const history = [user('loaded', { uuid: uuidOf(1) }), assistant('answer', { uuid: uuidOf(2) })];

test('a resumed session continues after its last message and does not mirror that message again', async () => {
  const { session, rest } = agentPeer({ session: { mirror, history } });
  void session.emit(user('on'));
  const entries = entriesIn(await rest());
  expect(textsOf(entries)).toEqual(['on', 'on']);
  expectChain(entries, uuidOf(2));
});

test('a fork first mirrors its history under its own session id, but not before it is used', async () => {
  const fork = { ...mirror, includesHistory: true };
  expect(entriesIn(await agentPeer({ session: { mirror: fork, history } }).rest())).toEqual([]);
  const { session, rest } = agentPeer({ session: { mirror: fork, history } });
  void session.emit(user('on'));
  const entries = entriesIn(await rest());
  expect(textsOf(entries)).toEqual(['loaded', 'answer', 'on', 'on']);
  expect(entries.map(({ sessionId }) => sessionId)).toEqual(Array(4).fill('session-1'));
  expectChain(entries);
});

test('messages of the agent that the host replays are mirrored before the session ends', async () => {
  const { session, rest } = agentPeer({ session: { mirror } });
  void session.emit(assistant('replayed'));
  expect(textsOf(entriesIn(await rest()))).toEqual(['replayed']);
});

test('a host that did not ask for a mirror gets no entries', async () => {
  const { session, rest } = agentPeer({});
  void session.emit(user('go'));
  expect(framesIn(await rest())).toEqual([]);
});
