import { expect, test } from 'vitest';

import { waits } from '../broken-decisions.test-support.ts';
import { answered, assistant, breaks, init, mirror, session, state } from '../sessions.test-support.ts';

const unnamed = { sent: { type: 'user', message: { role: 'user', content: 'hi' } } };

test('a prompt with the priority later may run first if no turn was running and nothing waited (TRN-47)', () => {
  const both = [waits('p1', { priority: 'later' }), waits('p2'), state('p1', 'queued'), state('p2', 'queued')];
  expect(breaks('queue/later', session([...both, state('p1', 'started')]))).toBe(false);
  expect(breaks('queue/later', session([waits('p0'), state('p0', 'queued'), ...both, state('p1', 'started')]))).toBe(
    true,
  );
});

test('a turn of a prompt without an id may list only a message that needs no reply (TRN-21)', () => {
  const log = (...parts: readonly object[]) =>
    session([unnamed, waits('p1', { shouldQuery: false }), ...parts, assistant(), answered()]);
  expect(breaks('queue/no-query', log(init(), state('p1', 'started')))).toBe(false);
  expect(breaks('queue/no-query', log(state('p1', 'started'), init()))).toBe(true);
});

test('a prompt that was added to the turn of a prompt without an id may have no entry with its id (TRN-46)', () => {
  const reply = assistant();
  const copies = { ...mirror, entries: [{ type: 'assistant', uuid: reply.uuid }] };
  const log = (...parts: readonly object[]) =>
    session([unnamed, waits('p1'), state('p1', 'queued'), ...parts, reply, copies, answered()], {
      args: ['--session-mirror'],
    });
  expect(breaks('mirror/whole', log(init(), state('p1', 'started')))).toBe(false);
  expect(breaks('mirror/whole', log(state('p1', 'started'), init()))).toBe(true);
});
