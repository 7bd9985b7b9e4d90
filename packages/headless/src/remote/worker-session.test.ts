import type { WireMessage } from '@proto/core/framing';
import type { WorkerLink } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import type { HeadlessOptions } from '../flags/options.ts';
import { assistant } from '../run.test-support.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { openWorkerSession } from './worker-session.ts';

type Row = Readonly<Record<string, unknown>> & { readonly payload: Readonly<Record<string, unknown>> };

/** A server that returns its stored transcript rows one by one. */
function server(rows: Row[] = [], failure?: Error) {
  const internalEvents: WorkerLink['internalEvents'] = {
    append: (type, payload, options) => void rows.push({ ...options, payload: { ...(payload as object), type } }),
    async *read(scope) {
      if (failure !== undefined) throw failure;
      yield* [...rows].filter((row) => (row?.['session_agent_id'] !== undefined) === (scope === 'subagents'));
    },
    pending: 0,
    flush: async () => {},
  };
  const warnings: string[] = [];
  const open = async (options: Partial<HeadlessOptions> = {}) => {
    const session = openWorkerSession({ internalEvents } as WorkerLink);
    const whole = { outputFormat: 'text', inputFormat: 'text', ...options } as const;
    return (await session(whole, { cwd: '/', env: {}, warn: (text) => warnings.push(text) })) as OpenedSession;
  };
  return { rows, warnings, open };
}

const prompt = (uuid: string) => ({ type: 'user', uuid, message: { role: 'user', content: uuid } });
const ids = (messages: readonly WireMessage[] = []) => messages.map(({ uuid }) => uuid);

verifies(
  ['WRK-46', 'WORKER-8'],
  'messages are stored as transcript rows, and the next worker restores the conversation and each subagent from them',
  async () => {
    const { rows, open } = server();
    const first = await open();
    expect([first.history, first.subagentHistory?.size]).toEqual([[], 0]);
    for (const uuid of ['u1', 'a1', 'u2', 'a2']) first.store?.append?.({ ...prompt(uuid), session_id: 'x' });
    first.store?.appendSubagent?.({ ...assistant('one'), uuid: 's1' }, 'T1');
    first.store?.appendSubagent?.({ ...assistant('two'), uuid: 's2' }, 'T2');
    first.store?.appendSubagent?.({ ...assistant('three'), uuid: 's3' }, 'T1');
    expect(rows.map(({ payload }) => [payload['uuid'], payload['parentUuid']])).toEqual([
      ['u1', null],
      ['a1', 'u1'],
      ['u2', 'a1'],
      ['a2', 'u2'],
      ['s1', null],
      ['s2', null],
      ['s3', 's1'],
    ]);

    const second = await open();
    expect(second.sessionId).toBe(first.sessionId);
    expect(ids(second.history)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(second.history[0]).toEqual({ ...prompt('u1'), timestamp: rows[0]?.payload['timestamp'] });
    expect(Array.from(second.subagentHistory ?? [], ([id, said]) => [id, ids(said)])).toEqual([
      ['T1', ['s1', 's3']],
      ['T2', ['s2']],
    ]);
    second.store?.append?.(prompt('u3'));
    expect(rows.at(-1)?.payload['parentUuid']).toBe('a2');
    expect(ids((await open({ resumeSessionAt: 'a1' })).history)).toEqual(['u1', 'a1']);
    expect(await open({ resumeSessionAt: 'nowhere' })).toHaveProperty('missing');
  },
);

test('invalid rows are skipped, and prompts in the rows do not count as completed', async () => {
  const odd = [null, 1, {}, { payload: null }, { payload: { type: 'x' } }, { payload: 'text' }] as never[];
  const { open } = server([...odd, { payload: { ...prompt('u1') } }]);
  const { history, store } = await open();
  expect(ids(history)).toEqual(['u1']);
  expect(store?.has('u1')).toBe(false);
});

test('a server without a transcript causes a warning and receives no rows; another error rejects', async () => {
  const { rows, warnings, open } = server([], new TransportError('rejected', 'no', { status: 404 }));
  const { store } = await open();
  store?.append?.(prompt('u1'));
  expect([rows, warnings]).toEqual([[], ['Warning: the server of this session does not keep a transcript']]);
  const broken = server([], new TransportError('rejected', 'no', { status: 403 }));
  await expect(broken.open()).rejects.toThrow('no');
});

test('a session without persistence stores no rows', async () => {
  const { rows, open } = server();
  const { store } = await open({ sessionPersistence: false });
  store?.append?.(prompt('u1'));
  store?.appendSubagent?.(prompt('s1'), 'T1');
  expect(rows).toEqual([]);
});
