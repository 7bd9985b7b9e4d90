/** Tests of `sjp demo`, run as a program. */
import type { LegReport } from '@proto/demo';
import { describe, expect, test } from 'vitest';
import { MAIN, run } from '../bins.test-support.ts';

/** The output of the first part. */
const CONVERSATION = [
  'host  | the agent is ready',
  'host  | prompt: /echo A whole answer, streamed word by word.',
  'agent | A whole answer, streamed word by word.',
  'host  | result: success',
  'host  | prompt: /bash echo what a command prints',
  'host  | asked for Bash(echo what a command prints): allowed',
  'host  | hook: PostToolUse of Bash',
  'agent | what a command prints',
  'host  | result: success',
  'host  | prompt: /mcp demo add {"a":2,"b":3}',
  'host  | asked for mcp__demo__add({"a":2,"b":3}): allowed',
  'host  | hook: PostToolUse of mcp__demo__add',
  'agent | 2 + 3 = 5',
  'host  | result: success',
  'host  | prompt: /slow 60',
  'agent | 1 2 3',
  'host  | interrupt: accepted',
  'host  | result: error_during_execution',
  'host  | 20 more prompts',
  'host  | prompt: Are you still there?',
  'agent | You said: Are you still there?',
  'host  | result: success',
];

const LEGS = ['stdio', 'SSE + POST', 'WebSocket', 'WebSocket, then SSE'];

async function legs(variables?: Readonly<Record<string, string>>) {
  const { stdout, stderr, code } = await run(MAIN, ['demo', '--json'], '', variables);
  const lines = stdout.trimEnd().split('\n');
  const result: unknown = JSON.parse(lines.pop() ?? '');
  return { legs: lines.map((line) => JSON.parse(line) as LegReport), result, stderr, code };
}

const sorted = (ids: readonly string[]) => ids.toSorted();

describe('sjp demo', () => {
  test('prints the session over the first transport, and for each further transport only the differences', async () => {
    const { stdout, stderr, code } = await run(MAIN, ['demo']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const [first = '', ...rest] = stdout.trimStart().split('\n\n');
    const conversation = first
      .replaceAll(/1 2 3 [\d ]*/g, '1 2 3')
      // Text that was sent before the interrupt was accepted arrives after it.
      .replaceAll(/(interrupt: accepted\n)agent \| [\d ]+\n/g, '$1');
    expect(conversation.split('\n').slice(0, -1)).toEqual([
      'stdio: the host starts the agent, and they communicate over pipes',
      expect.stringMatching(/^host {2}\| started the agent as process \d+$/),
      ...CONVERSATION,
    ]);
    expect(conversation).toMatch(/closed the session, and the agent exited with code 0$/);
    for (const [index, medium] of ['SSE \\+ POST', 'WebSocket', 'SSE \\+ POST'].entries()) {
      const [heading, ...lines] = rest[index]?.split('\n') ?? [];
      expect(heading).toMatch(new RegExp(`^${LEGS[index + 1]?.replace('+', '\\+')}: `));
      expect(lines).toEqual([
        expect.stringMatching(/^host {2}\| created the session cse_\w+ on http:\/\/127\.0\.0\.1:\d+$/),
        'host  | the same 4 prompts end in the same way: success, success, success, error_during_execution',
        'host  | 20 more prompts, with the connection cut in between',
        expect.stringMatching(/^link {2}\| every connection is reset/),
        ...lines.slice(4, -2).map(() => expect.stringMatching(/^link {2}\| (down|up again over .*)$/)),
        'link  | down',
        expect.stringMatching(new RegExp(`^link {2}\\| up again over ${medium} after \\d+ ms: nothing is missing$`)),
      ]);
    }
    const [table = '', verdict, next = ''] = rest.slice(LEGS.length - 1);
    for (const [index, name] of LEGS.entries()) {
      const isCut = name !== 'stdio';
      expect(table.split('\n')[index + 1]?.split(/ {2,}/)).toEqual([
        name,
        expect.stringMatching(/^\d{3}$/),
        isCut ? '1' : '0',
        isCut ? expect.stringMatching(/^[1-9]$/) : '0',
        '0',
        '0',
        '0',
        expect.stringMatching(/^\d+\.\d ms$/),
      ]);
    }
    expect(verdict).toBe('✔ 4 transports, 3 cuts: 0 lost, 0 duplicated, 0 out of order');
    expect(next.split('\n').filter((line) => line.startsWith('  npx sjp '))).toHaveLength(4);
  });

  test('is coloured with FORCE_COLOR', async () => {
    const { stdout, code } = await run(MAIN, ['demo'], '', { FORCE_COLOR: '1' });
    expect(code).toBe(0);
    expect(stdout).toContain('\u001b[32m✔ 4 transports, 3 cuts: 0 lost, 0 duplicated, 0 out of order\u001b[39m\n');
  });

  test('prints the number of lost messages, and no next steps, when messages are lost', async () => {
    const { stdout, code } = await run(MAIN, ['demo', '--fault', 'drop']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n✖ 4 transports, 3 cuts: [1-9]\d* lost, 0 duplicated, 0 out of order\n$/);
  });

  test('lists the sent and received messages of links that were cut', async () => {
    const { legs: walked, result, stderr, code } = await legs();
    expect({ result, stderr, code }).toEqual({ result: { type: 'result', ok: true }, stderr: '', code: 0 });
    for (const { sent, seen } of walked) {
      expect(sent.length).toBeGreaterThan(100);
      expect(sorted(seen)).toEqual(sorted(sent));
      expect(new Set(seen).size).toBe(seen.length);
    }
    expect(walked.map(({ transport }) => transport)).toEqual(LEGS);
    expect(walked.map(({ reconnects }) => reconnects > 0)).toEqual(LEGS.map((name) => name !== 'stdio'));
  });

  test.each([
    ['drop', 'lost'],
    ['dup', 'doubled'],
    ['reorder', 'outOfOrder'],
  ] as const)('reports a wire with the fault %s', async (fault, effect) => {
    const { legs: walked, result, code } = await legs({ SJP_DEMO_FAULT: fault });
    expect([code, result]).toEqual([1, { type: 'result', ok: false }]);
    for (const leg of walked) {
      const { lost, doubled, outOfOrder } = leg;
      expect(leg[effect].length).toBeGreaterThan(5);
      expect(lost.length + doubled.length + outOfOrder.length).toBe(leg[effect].length);
    }
  });
});
