import { requestMessage } from './agent-requests.ts';
import type { Step } from '@proto/testkit/steps';

import type { SessionWriter } from './session-writer.ts';

const FRAME = { uuid: '${uuid}', session_id: 's' };
const MEMBERS = { parent_tool_use_id: null, ...FRAME };
const ODD_CONTENT = [{ a: 1 }, 5, [null], null, ['text'], ''];
const OF_A_SUBAGENT = { ...FRAME, parent_tool_use_id: 'toolu_parent' };
const MODEL_REPLY = {
  type: 'message',
  role: 'assistant',
  model: 'model-1',
  content: [{ type: 'text', text: 'A reply.' }],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const event = (value: object): Step => ({ say: { type: 'stream_event', event: value, ...MEMBERS } });

/** Types that are unknown, but are similar to known types. */
const UNKNOWN_TYPES = ['control_note', 'control_', 'Result', 'result_note', 'user2', 'assistant_draft', 'toString'];

type Writer = (number: number, session: SessionWriter) => readonly Step[];

const IN_TURN: readonly Writer[] = [
  (number) => [{ reply: `Reply ${number} \u2028` }],
  (number) => [
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `${number}` } }),
    event({ type: 'hologram_delta', index: 0, delta: { type: 'shape_delta' } }),
  ],
  (number) => [{ 'use-tool': { id: `toolu_${number}`, name: 'Bash', input: { command: 'a', later: null } } }],
  () => [{ reply: 'From a subagent.', with: { parent_tool_use_id: 'toolu_parent' } }],
  () => [{ reply: [{ type: 'hologram', shape: [1] }], with: { confidence: 0.5 } }],
  (number) => severalBlocks(`msg_${number}`),
  () => [userMessage([{ type: 'hologram' }])],
  (number) => [userMessage([{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: [{ type: 'hologram' }] }])],
  (number) => [userMessage([{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: 'done' }])],
  (_, session) => [{ reply: { $repeat: 'large ', times: session.oneOf([100_000, 500_000]) } }],
];

const AT_ANY_TIME: readonly Writer[] = [
  (number) => unknownMessages({ type: 'hologram', shape: number, ...FRAME }, { type: 'hologram_end' }),
  (_, session) => unknownMessages({ type: 'hologram', message: { content: session.oneOf(ODD_CONTENT) }, ...FRAME }),
  (_, session) => unknownMessages({ type: 'hologram', message: session.oneOf(ODD_CONTENT), ...FRAME }),
  (number, session) => unknownMessages({ type: session.oneOf(UNKNOWN_TYPES), request_id: `note-${number}`, ...FRAME }),
  () => [{ say: { type: 'system', subtype: 'conformance_news', value: [null], ...FRAME }, spec: 'MSG-10' }],
  (_, session) => session.reportState('no_such_state'),
  () => [{ say: { type: 'keep_alive' }, spec: 'FRM-27' }],
  (number) => [{ say: { type: 'keep_alive', later_member: number }, spec: 'FRM-27' }],
  (number) => [
    { say: { type: 'user', message: { role: 'user', content: `From a subagent ${number}.` }, ...OF_A_SUBAGENT } },
    { say: { type: 'assistant', message: { ...MODEL_REPLY, id: `msg_${number}` }, ...OF_A_SUBAGENT } },
  ],
  newConversation,
  (_, session) => [{ 'say-all': { $repeat: [{ type: 'hologram', ...FRAME }], times: session.oneOf([20, 500]) } }],
];

/** A reply with several blocks. Each block is a message with the same `id`. */
function severalBlocks(id: string): readonly Step[] {
  return ['One.', 'Two.', 'Three.'].map((text) => ({
    say: { type: 'assistant', message: { ...MODEL_REPLY, id, content: [{ type: 'text', text }] }, ...MEMBERS },
  }));
}

function unknownMessages(...messages: readonly object[]): readonly Step[] {
  return messages.map((say) => ({ say, spec: 'MSG-9' }));
}

/** A new conversation, with a reply if the agent may be in a turn. */
function newConversation(number: number, session: SessionWriter): readonly Step[] {
  const session_id = `session-${number}`;
  const reset = { say: { type: 'conversation_reset', new_conversation_id: session_id, ...FRAME } };
  if (!session.hasTurn) return [reset];
  session.isInTurn = true;
  const reply = { ...MODEL_REPLY, id: `msg_${number}` };
  return [reset, { say: { type: 'assistant', message: reply, ...MEMBERS, session_id } }];
}

function userMessage(content: readonly object[]): Step {
  return { say: { type: 'user', message: { role: 'user', content }, ...MEMBERS } };
}

/** Some messages are of a kind that no host knows. */
export function message(session: SessionWriter): readonly Step[] {
  const writers = session.isInTurn ? [...IN_TURN, ...AT_ANY_TIME] : AT_ANY_TIME;
  return session.oneOf(writers)(session.number(), session);
}

/** Bytes that are not the usual line with one message. */
export function oddLine(session: SessionWriter): readonly Step[] {
  const { number } = { number: session.number() };
  const text = JSON.stringify({
    type: 'system',
    subtype: 'conformance_news',
    text: `\u2028 ä ${number} \u{1F600}`,
    uuid: UUID,
    session_id: 's',
  });
  const say = (spec: string, value: string): Step => ({ 'say-text': value, spec });
  return session.oneOf<() => readonly Step[]>([
    () => [say('FRM-5', '\n')],
    () => [say('FRM-5', ' \t\r\n\n')],
    () => [say('FRM-4', `  ${text}\t \r\n`)],
    () => [say('FRM-4', `${text}\r\n${text}\n`)],
    () => [diagnostic(session.oneOf(DIAGNOSTICS))],
    () => [{ 'say-text': '{"type":"assistant","broken\n' }],
    () => [{ 'say-text': 'null\n' }, { 'say-text': 'null\n' }],
    () => [say('FRM-24', '[1]\n"text"\n7\n')],
    () => [say('FRM-8', '{"session_id":"s","uuid":"${uuid}","subtype":"conformance_news","type":"system"}\n')],
    () => [
      {
        pieces: `${wideLine(session, text)}\n`,
        bytes: session.oneOf([1, 1, 2, 3, 1 + session.below(30)]),
        spec: 'FRM-7',
      },
    ],
    // A chunk contains the end of a line and the beginning of the next one.
    () => [
      {
        pieces: `${wideLine(session, text)}\n${wideLine(session, text)}\n`,
        bytes: 20 + session.below(150),
        spec: 'FRM-7',
      },
    ],
    // The end of a line arrives much later.
    () => {
      const pieces = `${wideLine(session, text)}\n`;
      const bytes = Math.ceil(Buffer.byteLength(pieces) * session.oneOf([0.4, 0.6, 0.8]));
      return [{ pieces, bytes, every: 600, spec: 'FRM-7' }];
    },
    () => [{ diagnostics: { $repeat: 'a warning of the agent\n', times: session.oneOf([1, 10_000]) } }],
  ])();
}

/** A request whose id has many characters of several bytes, or another text if the host may not be asked. */
function wideLine(session: SessionWriter, text: string): string {
  if (!session.canAsk) return text;
  const request = requestMessage(session, { subtype: 'conformance_probe' });
  const request_id = `${request.request_id}${' \u{1F600}é€'.repeat(5)}`;
  session.requests.splice(-1, 1, request_id);
  return JSON.stringify({ ...request, request_id });
}

/** Hosts need not continue after a line that begins with `{` and is not JSON. */
function diagnostic(line: string): Step {
  return { 'say-text': `${line}\n`, ...(line.startsWith('{') ? {} : { spec: 'FRM-24' }) };
}

/** Lines that are not JSON. Some of them begin like JSON. */
const DIAGNOSTICS = [
  'agent: this line is not JSON',
  '[debug] ready',
  '{ ready }',
  '"ready',
  '12:30 ready',
  'nothing',
  '[',
  '}',
];

const UUID = '00000000-0000-4000-8000-000000000001';
