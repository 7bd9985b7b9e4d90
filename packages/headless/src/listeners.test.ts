import { getEventListeners } from 'node:events';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { assistant, messagesIn, start, STREAM, user } from './run.test-support.ts';

const TURNS = 200;

verifies('COST-3', 'a signal shared by many turns, requests and questions keeps no listeners', async () => {
  const { signal } = new AbortController();
  const turnSignals: AbortSignal[] = [];
  let most = 0;
  const agent = start([...STREAM, '--permission-prompt-tool=stdio'], {
    async *runTurn(turn) {
      turnSignals.push(turn.signal);
      await turn.request({ subtype: 'ask' }, { signal });
      await turn.canUseTool('Bash', {}, crypto.randomUUID(), { signal });
      most = Math.max(most, getEventListeners(signal, 'abort').length);
      yield assistant('ok');
    },
  });
  let answered = 0;
  let results = 0;
  let seen = 0;
  agent.stdin.write(user('go'));
  while (results < TURNS) {
    const whole = agent.written.stdout.slice(seen, agent.written.stdout.lastIndexOf('\n') + 1);
    seen += whole.length;
    for (const { type, request_id } of messagesIn(whole)) {
      if (type === 'control_request') {
        answered++;
        const response = { subtype: 'success', request_id, response: { behavior: 'allow' } };
        agent.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
      }
      if (type === 'result' && ++results < TURNS) agent.stdin.write(user('go'));
    }
    if (whole === '') await new Promise((resolve) => agent.stdout.once('data', resolve));
  }
  expect(answered).toBe(2 * TURNS);
  expect(most).toBeLessThanOrEqual(2);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(turnSignals.flatMap((turn) => getEventListeners(turn, 'abort'))).toHaveLength(0);
  agent.stdin.end();
  expect(await agent.code).toBe(0);
});
