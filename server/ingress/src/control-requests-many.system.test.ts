import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { answer, permission, startAsked } from './ingress.test-support.ts';

verifies(
  'REM-35',
  'a second answer is refused after any number of other requests, and a long-open request is answered once',
  async () => {
    const { session, say, log } = await startAsked();
    await say(permission('waits'));
    await session.send([answer('p', 'allow')]);
    const ROUNDS = 112;
    for (let round = 0; round < ROUNDS; round++) {
      const ids = Array.from({ length: 900 }, (_, n) => `${round}-${n}`);
      await say(...ids.map(permission));
      await session.send(ids.map((id) => answer(id, 'allow')));
    }
    const late = await session.send([answer('p', 'deny'), answer('waits', 'deny'), answer('waits', 'allow')]);
    expect(late.body['events']).toMatchObject([
      { error: { type: 'already_resolved' } },
      { duplicate: false },
      { error: { type: 'already_resolved' } },
    ]);
    const { events } = await log.read(session.id, 0, { maxEvents: Infinity, maxBytes: Infinity });
    const answers = events.filter(({ id }) => /^answers-(p|waits)-/.test(id));
    expect(answers.map(({ id }) => id)).toEqual(['answers-p-allow', 'answers-waits-deny']);
  },
  { timeout: 120_000 },
);
