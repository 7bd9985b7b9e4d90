/** `sjp demo` as a program. */
import { describe, expect, test } from 'vitest';
import { MAIN, run } from '../bins.test-support.ts';
import type { LegReport } from '../demo/tally.ts';

/** What a leg prints, whatever the transport. */
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
  test('is one session over each transport: an answer, a permission, a hook, an MCP call, an interrupt', async () => {
    const { stdout, stderr, code } = await run(MAIN, ['demo']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const [transcript = '', table = ''] = stdout.split('\n\n');
    const steady = transcript
      .replaceAll(/1 2 3 [\d ]*/g, '1 2 3')
      // What was on its way when the interrupt was accepted comes behind it.
      .replaceAll(/(interrupt: accepted\n)agent \| [\d ]+\n/g, '$1')
      .replaceAll(', and no quiet link', '');
    const [local = '', ...remote] = steady.split('made the session cse_');
    const told = [local.slice(local.indexOf('\n') + 1), ...remote.map((leg) => leg.slice(leg.indexOf('\n') + 1))];
    expect(told).toHaveLength(LEGS.length);
    for (const [index, name] of LEGS.entries()) {
      const said = told[index]?.split('\n').filter((line) => !line.startsWith('link '));
      expect(said?.slice(0, CONVERSATION.length)).toEqual(CONVERSATION);
      expect(table.split('\n')[index + 1]?.split(/ {2,}/)).toEqual([
        name,
        expect.stringMatching(/^\d{3}$/),
        name === 'stdio' ? '0' : expect.stringMatching(/^[1-9]$/),
        '0',
        '0',
        '0',
        expect.stringMatching(/^\d+\.\d ms$/),
      ]);
    }
    expect(transcript).toContain('link  | up again by WebSocket, nothing missing: true');
    // The last one has moved.
    expect(told.at(-1)).toContain('link  | up again by SSE + POST, nothing missing: true');
  });

  test('lists what was sent and seen, over links that were cut', async () => {
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
  ] as const)('says so when a wire does that: %s', async (fault, told) => {
    const { legs: walked, result, code } = await legs({ SJP_DEMO_FAULT: fault });
    expect([code, result]).toEqual([1, { type: 'result', ok: false }]);
    for (const leg of walked) {
      const { lost, doubled, outOfOrder } = leg;
      expect(leg[told].length).toBeGreaterThan(5);
      expect(lost.length + doubled.length + outOfOrder.length).toBe(leg[told].length);
    }
  });
});
