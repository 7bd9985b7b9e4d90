import { oddText, oddValue } from '../../random/odd-values.ts';
import type { Message, SessionWriter } from './session-writer.ts';

const TEXTS = ['hello', '', 'ä😀 of several\nlines\t"quoted" \\', 'a\u2028b\u2029c', '  spaces  ', '0', 'null'];
const LONG_TEXTS = [300, 5000, 70_000, 300_000];
const MOST_LONG_TEXT = 1_000_000;
const SUBTYPES = ['interrupt', 'set_model', 'set_permission_mode', 'x_unknown', 'initialize'];
const EPHEMERAL: readonly (readonly [string, string?])[] = [
  ['system', 'thinking_tokens'],
  ['system', 'status'],
  ['tool_progress'],
  ['assistant'],
  ['x_of_tomorrow'],
];
const QUESTIONS = ['can_use_tool', 'can_use_tool', 'can_use_tool', 'hook_callback', 'elicitation', 'x_of_tomorrow'];

/** A prompt of a viewer, sometimes in an unusual form. */
export function promptOf(session: SessionWriter): Message {
  const text = textOf(session);
  return {
    type: 'user',
    uuid: session.newId(),
    ...(session.isLucky(0.5) ? { parent_tool_use_id: null, session_id: '' } : {}),
    ...(session.isLucky(0.1) ? { x_unknown: oddValue(session), empty: null } : {}),
    ...(session.isLucky(0.05) ? { ccr_event: { a: 1 } } : {}),
    ...(session.isLucky(0.05) ? { source: 'worker', event_id: 'chosen', sequence_num: 7 } : {}),
    message: { role: 'user', content: session.isLucky(0.25) ? [{ type: 'text', text }] : text },
  };
}

export function requestOf(session: SessionWriter): Message {
  // Each side chooses its ids, so both sides may use one id.
  const shared = session.asked.length > 0 && session.isLucky(0.2) ? session.oneOf(session.asked) : undefined;
  const isFree = shared !== undefined && !session.requests.includes(shared);
  const request_id = isFree ? shared : session.newRequestId('request-');
  session.requests.push(request_id);
  const subtype = session.oneOf(SUBTYPES);
  return { type: 'control_request', uuid: session.newId(), request_id, request: { subtype, x: null } };
}

/** A message of another kind from a viewer: a cancel, or a message that the server does not know. */
export function otherOf(session: SessionWriter): Message {
  const ids = [...session.asked, ...session.requests, 'never-sent'];
  const uuid = session.newId();
  if (session.isLucky(0.4)) return { type: 'control_cancel_request', uuid, request_id: session.oneOf(ids) };
  if (session.isLucky(0.3)) return { type: 'keep_alive' };
  return { type: session.oneOf(['x_of_tomorrow', 'assistant', 'system', 'result']), uuid, x: [null, 0, ''] };
}

/** A message of a worker that viewers see. */
export function reportOf(session: SessionWriter): Message {
  // A message and a row of the transcript may have the same uuid.
  const uuid = (session.isLucky(0.04) ? session.rowsOfNoMessage.pop() : undefined) ?? session.newId();
  const type = session.oneOf(['assistant', 'assistant', 'system', 'result', 'user', 'x_of_tomorrow']);
  const content = [{ type: 'text', text: textOf(session) }];
  if (type === 'assistant') return { type, uuid, parent_tool_use_id: null, message: { role: 'assistant', content } };
  if (type === 'user')
    return { type, uuid, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] } };
  return { type, uuid, subtype: session.oneOf(['init', 'status', 'success']), result: null, session_id: '' };
}

/** A report with a text that does not fit into the buffers of a reader. */
export function largeReportOf(session: SessionWriter): Message {
  const text = { $repeat: 'large ', times: session.oneOf([8_000, 30_000, 60_000]) };
  const message = { role: 'assistant', content: [{ type: 'text', text }] };
  return { type: 'assistant', uuid: session.newId(), parent_tool_use_id: null, message };
}

export function questionOf(session: SessionWriter): Message {
  const isOld = session.freeIds.length > 0 && session.isLucky(0.2);
  const request_id = isOld ? session.oneOf(session.freeIds) : session.newRequestId('question-');
  session.freeIds = session.freeIds.filter((id) => id !== request_id);
  session.asked.push(request_id);
  const subtype = session.oneOf(QUESTIONS);
  const asked = subtype === 'can_use_tool' ? { tool_name: 'Bash', input: { a: null }, tool_use_id: request_id } : {};
  return { type: 'control_request', uuid: session.newId(), request_id, request: { subtype, ...asked } };
}

export function answerOf(session: SessionWriter, request_id: string, decides = session.isLucky(0.8)): Message {
  const response = decides
    ? session.oneOf([
        { behavior: 'allow', updatedInput: {} },
        { behavior: 'deny', message: 'no' },
      ])
    : session.oneOf([{}, null, { behavior: 'ask' }, { behavior: null }, { a: 1 }]);
  const isError = session.isLucky(0.2);
  return {
    type: 'control_response',
    uuid: session.newId(),
    response: isError
      ? { subtype: 'error', request_id, error: 'cannot decide' }
      : { subtype: 'success', request_id, response },
  };
}

/** A message that a worker marks as ephemeral. Any type can be marked, although workers mostly mark increments. */
export function ephemeralOf(session: SessionWriter): Message {
  if (session.isLucky(0.6)) return incrementOf(session);
  const [type, subtype] = session.oneOf(EPHEMERAL);
  return { type, uuid: session.newId(), ...(subtype === undefined ? {} : { subtype }), x: textOf(session) };
}

/** A message that is ephemeral even where it cannot be marked. */
export function incrementOf(session: SessionWriter): Message {
  return { type: 'stream_event', uuid: session.newId(), event: { type: 'content_block_delta', index: 0 } };
}

function textOf(session: SessionWriter): unknown {
  const length = session.isLucky(0.06) ? session.oneOf(LONG_TEXTS) : 0;
  // Each reader of the session receives the long texts, so they are limited.
  if (length > 0 && session.longTexts + length <= MOST_LONG_TEXT) {
    session.longTexts += length;
    return { $repeat: session.oneOf(['long ', 'l\u00F6n€ ', '\u{1F600}ab ']), times: Math.ceil(length / 5) };
  }
  if (session.isLucky(0.1)) return oddText(session);
  return session.isLucky(0.3) ? session.oneOf(TEXTS) : `a text with the number ${session.below(1000)}`;
}
