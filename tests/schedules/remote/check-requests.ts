import assert from 'node:assert/strict';
import type { StoredEvent } from '@proto/ingress/event-log';
import { isAnsweredByServer, type Message, messageOf } from './message-of.ts';
import type { SessionRecord } from './session-record.ts';

/** Throws if a request was answered twice, not at all, or wrongly by the server. */
export function checkRequests(record: SessionRecord, events: readonly StoredEvent[], dropped: number): void {
  const messages = events.map(messageOf);
  for (const [index, { type, request_id: requestId }] of messages.entries()) {
    if (type === 'control_request') checkAnswers(record, messages, requestId, events[index] as StoredEvent);
  }
  checkServerAnswers(events, dropped);
}

/** Checks that each request has at most one answer, and that a request whose answer was acknowledged has one. */
function checkAnswers(
  { said }: SessionRecord,
  messages: readonly Message[],
  requestId: string | undefined,
  asked: StoredEvent,
): void {
  const answers = messages.filter(({ response }) => response?.request_id === requestId);
  const attempts = said.filter(
    (one) => one.requestId === requestId && one.outcome !== undefined && one.barred !== true,
  );
  const counted = attempts.filter(({ outcome, learnsOutcome }) => learnsOutcome && outcome === 'taken');
  assert.ok(answers.length <= 1, `${requestId} has ${answers.length} answers`);
  const winners = new Set(counted.map(({ uuid }) => uuid)).size;
  assert.ok(winners <= 1, `${winners} clients got the report that their answer to ${requestId} counts`);
  const isTaken = messages.some(
    ({ type, request_id }) => type === 'control_cancel_request' && request_id === requestId,
  );
  const isOver = answers.length > 0 || isTaken;
  if (attempts.length > 0) assert.ok(isOver, `${requestId} was answered, but is still open`);
  if (isAnsweredByServer(asked)) assert.ok(isOver, `${requestId}, which the server has to answer, is still open`);
}

/** Checks that the server answers a joining client with the agent's last answer and the requests that were open then. */
function checkServerAnswers(events: readonly StoredEvent[], dropped: number): void {
  const open = new Map<string, number>();
  let mark: string | undefined;
  for (const event of events) {
    const { type, request_id: requestId = '', response } = messageOf(event);
    const { sequence, source, owner } = event;
    if (owner === 'server') {
      const kept = [...open].filter(([, asked]) => asked > dropped).map(([id]) => id);
      const listed = (response?.pending_permission_requests ?? []).map(({ request_id }) => request_id);
      assert.equal(response?.response?.mark, mark, 'the answer of the server is not the last answer of the agent');
      if (mark === undefined) continue;
      const missing = kept.filter((id) => !listed.includes(id));
      const settled = listed.filter((id) => !open.has(id));
      assert.deepEqual(
        { missing, settled },
        { missing: [], settled: [] },
        'the requests that the server lists as open are not the open requests',
      );
    } else if (source === 'worker' && type === 'control_request') open.set(requestId, sequence);
    else if (source === 'worker' && type === 'control_cancel_request') open.delete(requestId);
    else if (source === 'client' && response !== undefined) open.delete(response.request_id);
    else if (source === 'worker' && response !== undefined) mark = response.response?.mark;
  }
}
