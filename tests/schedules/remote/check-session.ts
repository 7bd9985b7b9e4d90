import assert from 'node:assert/strict';
import type { EventLog, StoredEvent } from '@proto/ingress';
import type { Reading, SessionRecord } from './session-record.ts';

/** What a stored message says of itself. */
interface Message {
  readonly type: string;
  readonly uuid: string;
  readonly sender?: string;
  readonly n?: number;
  readonly epoch?: number;
  readonly request_id?: string;
  readonly response?: { readonly request_id: string };
}

/** All events of a session, in one page: what is to be found may be wrong with the cursor of the log. */
export async function eventsOf(log: EventLog, session: string): Promise<readonly StoredEvent[]> {
  return (await log.read(session, 0, { maxEvents: 1_000_000, maxBytes: Infinity })).events;
}

/** Throws where a schedule has broken what the ingress and its clients promise, all being settled. */
export async function checkSession(record: SessionRecord, events: readonly StoredEvent[]): Promise<void> {
  const messages = events.map(messageOf);
  assert.deepEqual(record.problems, []);
  const dense = events.map((_, index) => index + 1);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    dense,
    'the numbers in the log are not dense',
  );
  assert.ok(!messages.some(({ type }) => type === 'stream_event'), 'what is not to be kept is in the log');
  const ids = new Set(messages.map(({ uuid }) => uuid));
  assert.equal(ids.size, messages.length, 'an id is in the log twice');
  const lost = record.said.filter(
    ({ outcome, uuid, requestId }) => outcome === 'taken' && !requestId && !ids.has(uuid),
  );
  assert.deepEqual(lost, [], 'acknowledged, and not in the log');
  checkSenders(messages);
  checkEpochs(record, messages);
  checkAnswers(record, messages);
  for (const reading of record.readings) {
    assert.deepEqual(
      reading.heard.map(({ sequence, uuid }) => `${sequence} ${String(uuid)}`),
      expectedOf(reading, record, events).map(({ sequence, id }) => `${sequence} ${id}`),
      `${reading.name} has not heard what is in the log`,
    );
    await checkNeedless(reading, events);
  }
}

/** Nobody is asked what was settled before he came, and no worker is told what one before it has done. */
async function checkNeedless({ name, heard, begun, processedBefore, kind }: Reading, events: readonly StoredEvent[]) {
  const { last } = await begun;
  const before = events.slice(0, last).map(messageOf);
  for (const { sequence, uuid, type } of heard) {
    const { request_id: requestId } = messageOf(events[sequence - 1] as StoredEvent);
    const settled = type === 'control_request' && isSettled(before, requestId);
    assert.ok(!settled, `${name} was asked ${requestId}, which was settled`);
    assert.ok(kind !== 'worker' || !processedBefore.has(uuid), `${name} was told again what was processed`);
  }
}

/** Whether everybody who is there has heard the last of what is for him. */
export function isHeard(record: SessionRecord, events: readonly StoredEvent[]): boolean {
  return record.readings.every((reading) => {
    const last = expectedOf(reading, record, events).at(-1)?.sequence ?? 0;
    return (reading.heard.at(-1)?.sequence ?? 0) >= last;
  });
}

/** What one sender said is in the log in its order, each once, and nothing is left out before something that is there. */
function checkSenders(messages: readonly Message[]): void {
  const next = new Map<string, number>();
  for (const { sender, n } of messages) {
    if (sender === undefined || n === undefined) continue;
    assert.equal(n, next.get(sender) ?? 1, `what ${sender} said is not in its order`);
    next.set(sender, n + 1);
  }
}

/** Once a worker has the seat, nothing is stored of those before it. */
function checkEpochs({ seats }: SessionRecord, messages: readonly Message[]): void {
  for (const { epoch, behind } of seats) {
    const late = messages.slice(behind).find((message) => message.epoch !== undefined && message.epoch < epoch);
    assert.equal(late, undefined, `a message of an earlier worker behind the one that has epoch ${epoch}`);
  }
}

/** Each request has one answer at most, and one that somebody was heard to answer has one. */
function checkAnswers({ said }: SessionRecord, messages: readonly Message[]): void {
  for (const { type, request_id: requestId } of messages) {
    if (type !== 'control_request') continue;
    const answers = messages.filter(({ response }) => response?.request_id === requestId);
    const attempts = said.filter((one) => one.requestId === requestId && one.outcome !== undefined);
    const told = attempts.filter(({ outcome, tellsAnswer }) => tellsAnswer && outcome === 'taken');
    assert.ok(answers.length <= 1, `${requestId} has ${answers.length} answers`);
    assert.ok(told.length <= 1, `${told.length} were told that theirs is the answer to ${requestId}`);
    if (attempts.length > 0) assert.ok(isSettled(messages, requestId), `${requestId} was answered, and is open`);
  }
}

function isSettled(messages: readonly Message[], requestId: string | undefined): boolean {
  return messages.some(({ type, request_id, response }) =>
    type === 'control_cancel_request' ? request_id === requestId : response?.request_id === requestId,
  );
}

/** What somebody has to have heard, given what he did hear where that is open. */
function expectedOf(reading: Reading, record: SessionRecord, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const { name, kind, after, heard, live } = reading;
  const own = new Set(record.said.filter(({ sender }) => sender === name).map(({ uuid }) => uuid));
  const messages = events.map(messageOf);
  /** `perhaps`: where it came in time. */
  const isFor = ({ id, type, source, sequence }: StoredEvent, index: number): boolean | 'perhaps' => {
    if (sequence <= after) return false;
    if (kind === 'worker') return source === 'client' && (record.processed.has(id) ? 'perhaps' : true);
    // What this side sent does not come back, and the control frames of others are between them and the worker.
    if (kind === 'own viewer' && source === 'client' && (own.has(id) || type.startsWith('control_'))) return false;
    return type === 'control_request' && isSettled(messages, messages[index]?.request_id) ? 'perhaps' : true;
  };
  const numbers = new Set(heard.map(({ sequence }) => sequence));
  const last = live ? Infinity : (heard.at(-1)?.sequence ?? 0);
  return events.filter((event, index) => {
    const mine = isFor(event, index);
    return mine === 'perhaps' ? numbers.has(event.sequence) : mine && event.sequence <= last;
  });
}

function messageOf({ payload }: StoredEvent): Message {
  return JSON.parse(payload);
}
