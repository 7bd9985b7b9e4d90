// Follows a session with a plain EventSource in both ways of follow.mjs, cuts the connection, and compares the events that arrived with the log.
import assert from 'node:assert/strict';
import { EventSource } from 'eventsource';
import { followByHeader, followByTicket } from './follow.mjs';
import { startServer } from './server.mjs';

/** Follows the session, and collects events until a condition holds. */
function reader(follow, options) {
  const events = [];
  let check = () => {};
  const ended = new Promise((resolve) => (options.onEnd = resolve));
  const { close } = follow({
    ...options,
    EventSource,
    onEvent: (event) => {
      events.push(event);
      check();
    },
    onGap: (gap) => assert.fail(`a gap: ${JSON.stringify(gap)}`),
  });
  return {
    events,
    ended,
    close,
    /** Waits until the agent has answered that many prompts. */
    results: (count) =>
      new Promise((resolve) => {
        check = () => events.filter(({ payload }) => payload.type === 'result').length >= count && resolve();
        check();
      }),
  };
}

async function loggedBy({ session, tokens }) {
  const response = await fetch(`${session}/events`, { headers: { authorization: `Bearer ${tokens.viewer}` } });
  return (await response.json()).data;
}

async function acrossACut(follow) {
  const server = await startServer();
  try {
    const one = reader(follow, { session: server.session, token: server.tokens.viewer });
    await server.prompt('/echo one');
    await one.results(1);
    const before = one.events.at(-1).sequence_num;
    server.cut();
    // These events happen while no reader is connected.
    await server.prompt('/echo two');
    await one.results(2);
    const numbers = one.events.map(({ sequence_num }) => sequence_num);
    assert.ok(numbers.at(-1) > before);
    // Nothing is lost and nothing is repeated: the numbers have no gaps.
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => index + 1),
    );
    const log = await loggedBy(server);
    assert.deepEqual(
      one.events.map(({ event_id }) => event_id),
      log.map(({ event_id }) => event_id).slice(0, numbers.length),
    );

    const refused = reader(follow, { session: server.session, token: 'a-token-that-is-wrong' });
    assert.match((await refused.ended).message, /401/);
    await server.archive();
    assert.equal(await one.ended, undefined);
  } finally {
    await server.close();
  }
}

for (const follow of [followByTicket, followByHeader]) await acrossACut(follow);
console.log('event-source: a session followed by ticket and by header, across a cut, without a loss or a repetition');
