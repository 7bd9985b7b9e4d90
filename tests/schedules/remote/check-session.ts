import assert from 'node:assert/strict';
import type { StoredEvent } from '@proto/ingress/event-log';
import { checkRequests } from './check-requests.ts';
import { isAnsweredByServer, type Message, messageOf } from './message-of.ts';
import type { Reading, SessionRecord } from './session-record.ts';

/** Throws if a schedule has broken a promise of the ingress or its clients, after everything has settled. */
export async function checkSession(record: SessionRecord, events: readonly StoredEvent[]): Promise<void> {
  const messages = events.map(messageOf);
  const dropped = await record.kept.dropped(record.session);
  assert.deepEqual(record.problems, []);
  const dense = events.map((_, index) => index + 1);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    dense,
    'the numbers in the log are not dense',
  );
  assert.ok(!messages.some(({ type }) => type === 'stream_event'), 'an ephemeral message is in the log');
  const ids = new Set(messages.map(({ uuid }) => uuid));
  assert.equal(ids.size, messages.length, 'an id is in the log twice');
  const lost = record.said.filter(
    ({ outcome, uuid, requestId }) => outcome === 'taken' && !requestId && !ids.has(uuid),
  );
  assert.deepEqual(lost, [], 'an acknowledged message is not in the log');
  const forbidden = record.said.filter(({ barred, uuid }) => barred === true && ids.has(uuid));
  assert.deepEqual(forbidden, [], 'a message of a client without the right to send is in the log');
  checkSenders(messages);
  checkEpochs(record, messages);
  checkRequests(record, events, dropped);
  for (const reading of record.readings) {
    const expected = expectedOf(reading, record, events, dropped);
    assert.deepEqual(
      reading.received.map(({ sequence, uuid }) => `${sequence} ${String(uuid)}`),
      expected.map(({ sequence, id }) => `${sequence} ${id}`),
      `${reading.name} has not received every event of the log`,
    );
    checkRights(reading);
    for (const { from } of reading.gaps) {
      assert.ok(from <= dropped, `event ${from} was reported to ${reading.name} as missing, but the log has it`);
    }
    await checkNeedless(reading, events);
  }
}

/** Returns whether every present reader has received the last event meant for that reader. */
export async function haveAllReceived(record: SessionRecord, events: readonly StoredEvent[]): Promise<() => boolean> {
  const dropped = await record.kept.dropped(record.session);
  const readings = record.readings.map((reading) => ({ reading, isFor: forWhom(reading, record, events, dropped) }));
  // The set of readers and the processed events may change in the meantime.
  return () =>
    readings.every(({ reading: { live, received }, isFor }) => {
      const last = live ? events.findLast((event) => isFor(event) === true) : undefined;
      return (received.at(-1)?.sequence ?? 0) >= (last?.sequence ?? 0);
    });
}

function checkRights({ name, received, barredAfter }: Reading): void {
  const last = received.at(-1)?.sequence ?? 0;
  assert.ok(last <= (barredAfter ?? last), `${name} received event ${last} after it had lost the right to read`);
}

/** Checks that no reader gets a request that was settled before the reader joined, and no worker an event that an earlier worker processed. */
async function checkNeedless(
  { name, received, begun, processedBefore, kind }: Reading,
  events: readonly StoredEvent[],
) {
  const asker = kind === 'worker' ? 'client' : 'worker';
  const settledBefore = settledIn(events.slice(0, await begun).map(messageOf));
  for (const { sequence, uuid, type } of received) {
    const event = events[sequence - 1] as StoredEvent;
    const { request_id: requestId } = messageOf(event);
    const isSettled = type === 'control_request' && event.source === asker && settledBefore.has(requestId);
    assert.ok(!isSettled, `${name} received request ${requestId}, which was already settled`);
    // A request without an answer is delivered again, no matter what an earlier worker has done with it.
    const isDone = kind === 'worker' && type !== 'control_request' && processedBefore.has(uuid);
    assert.ok(!isDone, `${name} received an event that was already processed`);
  }
}

/** Checks that the log has the messages of each sender once, in order, and without a gap. */
function checkSenders(messages: readonly Message[]): void {
  const next = new Map<string, number>();
  for (const { sender, n } of messages) {
    if (sender === undefined || n === undefined) continue;
    assert.equal(n, next.get(sender) ?? 1, `the messages of ${sender} are not in the order in which they were sent`);
    next.set(sender, n + 1);
  }
}

/** Checks that nothing of earlier workers is stored once a worker has the lease. */
function checkEpochs({ leases }: SessionRecord, messages: readonly Message[]): void {
  for (const { epoch, logLength } of leases) {
    const late = messages.slice(logLength).find((message) => message.epoch !== undefined && message.epoch < epoch);
    assert.equal(late, undefined, `a message of an earlier worker is stored after a worker has claimed epoch ${epoch}`);
  }
}

/** Returns the requests that were answered or withdrawn. */
function settledIn(messages: readonly Message[]): ReadonlySet<string | undefined> {
  return new Set(
    messages.flatMap(({ type, request_id, response }) => {
      if (type === 'control_cancel_request') return [request_id];
      return response === undefined ? [] : [response.request_id];
    }),
  );
}

/** Returns the events that a reader must have received; optional events are included if the reader did receive them. */
function expectedOf(
  reading: Reading,
  record: SessionRecord,
  events: readonly StoredEvent[],
  dropped: number,
): readonly StoredEvent[] {
  const { received, live } = reading;
  const isFor = forWhom(reading, record, events, dropped);
  const numbers = new Set(received.map(({ sequence }) => sequence));
  const last = live ? Infinity : (received.at(-1)?.sequence ?? 0);
  return events.filter((event) => {
    const mine = isFor(event);
    return mine === 'perhaps' ? numbers.has(event.sequence) : mine && event.sequence <= last;
  });
}

/** Returns whether an event is meant for a reader; `perhaps` means: only if the event arrived in time. */
function forWhom(
  { name, kind, after, gaps }: Reading,
  record: SessionRecord,
  events: readonly StoredEvent[],
  dropped: number,
): (event: StoredEvent) => boolean | 'perhaps' {
  const own = new Set(record.said.filter(({ sender }) => sender === name).map(({ uuid }) => uuid));
  const settled = settledIn(events.map(messageOf));
  const isMissing = (sequence: number) =>
    sequence <= dropped && (kind === 'worker' || gaps.some(({ from, to }) => from <= sequence && sequence <= to));
  return (event) => {
    const { id, type, source, sequence } = event;
    if (sequence <= after) return false;
    if (kind === 'worker' && (source !== 'client' || isAnsweredByServer(event))) return false;
    // A viewer does not get its own messages back, and the control frames of other viewers go to the worker only.
    if (kind === 'own viewer' && source === 'client' && (own.has(id) || type.startsWith('control_'))) return false;
    if (isMissing(sequence)) return 'perhaps';
    // A request is delivered until it is answered, even if its delivery was confirmed.
    if (type === 'control_request') return settled.has(messageOf(event).request_id) ? 'perhaps' : true;
    return kind === 'worker' && record.processed.has(id) ? 'perhaps' : true;
  };
}
