import { describe, expect, test } from 'vitest';

import { ProgramNotStarted } from '../run/test-options.ts';
import { caseOf, tryProgram } from './programs.test-support.ts';

/** An adapter whose answer to an order is code: `order` is the order, `say` writes an event. */
const adapter = (code: string): string => `
  import { createInterface } from 'node:readline';
  const say = (event) => console.log(JSON.stringify(event));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line);
    ${code}
  });
`;
const INIT = "if (order.type === 'init') say({ type: 'init', name: 'test', features: [] });";
const tried = (code: string, cases = [caseOf()]) => tryProgram(adapter(code), cases, { adapter: true });

describe('an adapter', () => {
  test.each([
    ['exits', 'process.exit(3);', /ended with exit code 3/],
    ['says nothing', '', /wrote nothing within 2000 ms/],
    ['writes text', "console.log('ready');", /a line that is not an event: "ready"/],
    ['answers something else', "say({ type: 'ready' });", /not an "init" with an array "features"/],
  ])('that %s at init is not started', async (_what, code, message) => {
    const failed = await tried(code).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ProgramNotStarted);
    expect((failed as Error).message).toMatch(message);
  });

  test.each([
    ['never starts the agent', INIT, /did not start the agent/],
    [
      'reports a result at once',
      `${INIT} else say({ type: 'result', run: order.run });`,
      /did not start the agent, and reported the end/,
    ],
    ['dies', `${INIT} else process.exit(7);`, /exit code 7/],
    ['writes text', `${INIT} else console.log('oops');`, /not an event: "oops"/],
    [
      'speaks of another case',
      `${INIT} else say({ type: 'result', run: 'host/other/case' });`,
      /did not start the agent/,
    ],
  ])('that %s fails its case', async (_what, code, message) => {
    const [result] = await tried(code);
    expect(result).toMatchObject({ verdict: 'failed', failures: [{ message: expect.stringMatching(message) }] });
  });

  test('is started again for the next case after it died', async () => {
    const cases = [caseOf(), caseOf({ id: 'host/test/two' })];
    const results = await tryProgram(adapter(`${INIT} else process.exit(7);`), cases, { adapter: true, jobs: 1 });
    expect(results.map(({ verdict, failures }) => [verdict, failures.length])).toEqual([
      ['failed', 1],
      ['failed', 1],
    ]);
  });

  test('gets no case whose needs it does not declare', async () => {
    const [result] = await tried(INIT, [caseOf({ needs: ['permissions', 'hooks'] })]);
    expect(result).toMatchObject({ verdict: 'not-declared', reason: 'the host does not declare permissions, hooks' });
  });
});
