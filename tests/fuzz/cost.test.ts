/** The cost of whatever a peer may send grows with its size, and delays no other client. `pnpm fuzz cost` tries many more forms. */
import { expect, test } from 'vitest';
import { growthProblem, checkLoad } from './cost/check-load.ts';
import { type Load, MOST_BYTES } from './cost/load.ts';
import { loadOf, loadsOf } from './cost/run-cost.ts';
import { sendRequest } from './server/send-request.ts';

const LIMIT_MS = 240_000;

/** Loads whose costs are compared by size: each was quadratic once, or resembles a load that was. */
const GROWING = [
  'viewer: WebSocket, line, lines that are numbers, whole',
  'driver: WebSocket sjp.v1, a greeting, nested lists with ones, whole',
  'approver: POST events, the list, answers to requests that are not open, whole',
  'worker: POST worker/events, the list, small messages in disguise, whole',
  'worker: reports that add a member each',
];
const MOST_GROWING_BYTES = 2 * 1024 * 1024;
const MOST_GROWING_TIMES = 1000;

/** Loads that are sent at the largest size the server takes, while `/healthz` is polled. */
const LARGEST = [
  'viewer: WebSocket, line, lines that are numbers, whole',
  'viewer: POST events, a member of the body, ones, whole',
  'approver: WebSocket, line, keep-alive lines, whole',
  'driver: POST events, a member of a payload, ones, whole',
  'worker: POST worker/events, a member of a payload, nested lists, whole',
  'worker: PUT worker, a member of the metadata, small objects, whole',
];

test.each(GROWING)('twice the size costs about twice as much: %s', { timeout: LIMIT_MS }, async (name) => {
  const load = loadOf(name);
  const { problems } = await checkLoad(load, {
    only: 'growth',
    most: load.isBytes ? MOST_GROWING_BYTES : MOST_GROWING_TIMES,
  });
  expect(problems).toEqual([]);
});

test.each(LARGEST)('32 MB delay no other client: %s', { timeout: LIMIT_MS }, async (name) => {
  const { problems } = await checkLoad(loadOf(name), { only: 'largest' });
  expect(problems).toEqual([]);
});

/** Posts bodies to a server whose paths have a known cost. */
function posting(path: string, most = 256 * 1024): Load {
  return {
    name: path,
    isBytes: true,
    least: 1024,
    most,
    async prepare({ url }, size) {
      const body = Buffer.alloc(size);
      return {
        bytes: size,
        send: async (signal) => void (await sendRequest(url + path, { body, signal })),
        end: () => {},
      };
    },
  };
}
const program = new URL('./server/quadratic-server.mjs', import.meta.url);

test('a quadratic cost is found, and a linear cost is not reported', {
  timeout: LIMIT_MS,
}, async () => {
  const squared = await checkLoad(posting('/squared'), { program, only: 'growth' });
  expect(squared.problems).toEqual([expect.stringMatching(/^twice as much costs [34]\.\d times as much/)]);
  expect((await checkLoad(posting('/linear'), { program, only: 'growth' })).problems).toEqual([]);
});

test('a server that computes for too long is found by the delay of /healthz', { timeout: LIMIT_MS }, async () => {
  const { problems } = await checkLoad(posting('/linear', MOST_BYTES / 8), { program, only: 'largest' });
  expect(problems).toEqual([expect.stringMatching(/^size \d+ keeps \/healthz waiting/)]);
});

test('costs are compared over two doublings, and costs below the noise are ignored', () => {
  const of = (...cpuMs: number[]) => growthProblem(cpuMs.map((ms, index) => ({ size: 2 ** index, cpuMs: ms })));
  expect(of(100, 200, 400)).toEqual([]);
  expect(of(100, 320, 480)).toEqual([]);
  expect(of(1, 6, 36)).toEqual([]);
  expect(of(70, 300, 600)).toEqual([]);
  expect(of(100, 400, 1600)).toHaveLength(1);
  expect(of(100, 400)).toEqual([]);
});

test('a seed always gives the same loads, and a load can be made from its name', () => {
  const names = (seed: number) => {
    const loads = loadsOf(seed);
    return Array.from({ length: 200 }, () => loads.next().value?.load.name);
  };
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
  for (const name of names(1)) expect(loadOf(name as string).name).toBe(name);
});
