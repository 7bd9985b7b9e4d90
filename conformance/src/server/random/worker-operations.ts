import type { Step } from '@proto/testkit/steps';

import { oddValue } from '../../random/odd-values.ts';
import { openAny } from './link-operations.ts';
import { reportOf } from './messages.ts';
import { BAD_ENTRIES, workerHttp } from './post-operations.ts';
import { ANY, type Operation, type SessionWriter, together } from './session-writer.ts';

/** The body of a heartbeat whose epoch is written as a string. */
const heartbeatOf = (worker: string | undefined) => `{"worker_epoch":"\${${worker}.epoch}"}`;
const hasWorker = ({ present }: SessionWriter) => present !== undefined;
const VALUES: readonly unknown[] = [1, false, '', null, null, { a: { b: 1 } }, { c: [null, {}] }, { a: 1, d: null }];
// Claude Code writes the last two. To a server, all names are equal.
const MEMBERS = ['one', 'two', 'pending_action', 'task_summary'];
const REPORTED = ['external_metadata', 'internal_metadata'];
const ODD_VALUES: readonly unknown[] = [null, 7, 'text', [], [null], false];
const STATUSES = ['idle', 'running', 'requires_action'];
const MARKS = ['received', 'processing', 'processed'];
const ODD_MARKS: readonly unknown[] = [undefined, null, 7, '', 'x_of_tomorrow', 'toString', 'PROCESSED'];

/** `null` removes the earlier value of a member. */
function metadataOf(session: SessionWriter): object {
  const names = MEMBERS.filter(() => session.isLucky(0.5));
  return Object.fromEntries(
    names.map((name) => [name, session.isLucky(0.2) ? oddValue(session) : session.oneOf(VALUES)]),
  );
}

function stateReport(session: SessionWriter, role = session.present): Step {
  const body = {
    ...(session.isLucky(0.5) ? { worker_status: session.oneOf(STATUSES) } : {}),
    ...(session.isLucky(0.1) ? { connection_status: session.oneOf(['connected', 'disconnected']) } : {}),
    ...(session.isLucky(0.6) ? { external_metadata: metadataOf(session) } : {}),
    ...(session.isLucky(0.4) ? { internal_metadata: metadataOf(session) } : {}),
    ...(session.isLucky(0.08) ? { [session.oneOf(REPORTED)]: session.oneOf(ODD_VALUES) } : {}),
  };
  return workerHttp(session, 'PUT S/worker', body, role);
}

function marksOf(session: SessionWriter): readonly object[] {
  // Mostly events from viewers are marked, because a worker does not mark its own messages.
  const sent = session.sent.filter(({ role }) => role === 'driver' || session.isLucky(0.1));
  const known = sent.flatMap(({ messages }) => messages.flatMap(({ uuid }) => uuid ?? []));
  return Array.from({ length: 1 + session.below(5) }, () => ({
    event_id: known.length > 0 && session.isLucky(0.8) ? session.recentOf(known) : session.newId(),
    status: session.isLucky(0.08) ? session.oneOf(ODD_MARKS) : session.oneOf(MARKS),
  }));
}

/** Takes the lease, usually for another worker. */
function takeLease(session: SessionWriter): readonly Step[] {
  const earlier = session.workers.length > 0 && session.declares('register') && session.isLucky(0.3);
  const worker = earlier ? session.oneOf(session.workers) : session.newName('w');
  if (!earlier) session.workers.push(worker);
  session.take(worker);
  return [
    earlier ? { register: worker } : { worker },
    // The worker takes the lease that it already has.
    ...(session.declares('register') && session.isLucky(0.15) ? [{ register: worker }] : []),
    ...(session.isLucky(0.5) ? [{ http: 'GET S/worker', role: worker, status: ANY }] : []),
    ...(session.isLucky(0.4) ? [stateReport(session)] : []),
    ...(session.hasRoom && session.isLucky(0.6) ? openAny(session, worker) : []),
  ];
}

function rowsOf(session: SessionWriter): readonly object[] {
  const length = session.oneOf([1, 2, 4, 99]);
  return Array.from({ length }, () => {
    const isOld = session.rows.length > 0 && session.isLucky(0.2);
    // A row may have the uuid of the prompt that it records.
    const prompt = session.isLucky(0.2) ? session.sent.at(-1)?.messages[0]?.uuid : undefined;
    const uuid = isOld ? session.oneOf(session.rows) : (prompt ?? session.newId());
    session.rows.push(uuid);
    if (!isOld && prompt === undefined) session.rowsOfNoMessage.push(uuid);
    return {
      payload: {
        type: session.oneOf(['user', 'assistant', 'x_of_tomorrow']),
        uuid,
        parentUuid: null,
        // The order of the rows does not depend on their times.
        timestamp: `2026-01-01T00:00:${10 + session.below(50)}.000Z`,
        a: [null, ''],
      },
      ...(session.isLucky(0.1) ? { is_compaction: true } : {}),
      ...(session.isLucky(0.25) ? { session_agent_id: 'agent-1' } : {}),
    };
  });
}

/** Reads several pages of a transcript whose last compaction is in its middle. */
function readPages(session: SessionWriter): readonly Step[] {
  const compaction = session.below(4);
  const rows = Array.from({ length: 14 }, (_, at) => ({
    payload: { type: 'user', uuid: session.newId(), parentUuid: null },
    ...(at === compaction ? { is_compaction: true } : {}),
  }));
  const query = `limit=${session.oneOf([1, 2, 3])}${session.isLucky(0.3) ? '&from_first_event=true' : ''}`;
  const pages = Array.from({ length: 3 }, () => session.newName('page'));
  const address = 'GET S/worker/internal-events?';
  return [
    together([
      workerHttp(session, 'POST S/worker/internal-events', { events: rows }),
      ...pages.map((as, at) => {
        const cursor = at === 0 ? '' : `&cursor=\${${pages[at - 1]}.body.next_cursor}`;
        return { http: address + query + cursor, role: session.present, as, status: ANY };
      }),
    ]),
  ];
}

const QUERIES = ['', '?subagents=true', '?from_first_event=true', '?limit=2', '?limit=50', '?limit=3&subagents=true'];

/** Several workers take the lease in turns, and then one that has lost it sends requests with the epoch of the last one. */
function leasesInTurns(session: SessionWriter): readonly Step[] {
  const names = Array.from({ length: 2 + session.below(2) }, () => session.newName('w'));
  session.workers.push(...names);
  const again = Array.from({ length: 1 + session.below(3) }, () => session.oneOf(names));
  const last = again.at(-1) ?? '';
  const [earlier = ''] = names.filter((name) => name !== last).slice(session.isLucky(0.5) ? 0 : -1);
  session.take(last);
  const worker_epoch = `\${${last}.epoch}`;
  return [
    together([
      ...names.map((worker) => ({ worker })),
      ...again.map((register) => ({ register })),
      {
        http: 'POST S/worker/events',
        role: earlier,
        body: { worker_epoch, events: [{ payload: reportOf(session) }] },
        status: ANY,
      },
      { http: 'PUT S/worker', role: earlier, body: { worker_epoch, external_metadata: { late: 1 } }, status: ANY },
      { http: 'GET S/worker', role: earlier, status: ANY },
    ]),
  ];
}

/** Requests of a worker that is refused: with another epoch, without one, or after the loss of the lease. */
function refusable(session: SessionWriter): readonly Step[] {
  const role = session.oneOf(session.workers);
  const odd = session.oneOf([`\${${role}.epoch}`, 0, 1_000_000, '1000000', null, {}, 'x', -1]);
  // A worker that has lost its lease may know the epoch of the next one.
  const worker_epoch = session.isLucky(0.4) ? `\${${session.present}.epoch}` : odd;
  const body = session.isLucky(0.15) ? {} : { worker_epoch };
  const report = reportOf(session);
  const step = session.oneOf<readonly [string, object]>([
    ['POST S/worker/events', { events: [{ payload: report }] }],
    ['POST S/worker/events', { events: [] }],
    ['POST S/worker/heartbeat', {}],
    ['PUT S/worker', { external_metadata: { refused: session.newId() } }],
    ['POST S/worker/events/delivery', { updates: marksOf(session) }],
    ...(session.declares('transcript')
      ? [
          ['POST S/worker/internal-events', { events: rowsOf(session) }] as const,
          ['GET S/worker/internal-events', {}] as const,
        ]
      : []),
    ['GET S/worker', {}],
  ]);
  if (step[0].startsWith('GET')) return [{ http: step[0], role, status: ANY }];
  // A message that was refused may be sent again.
  if (step[0] === 'POST S/worker/events') session.sent.push({ role, messages: [report] });
  return [{ http: step[0], role, body: { ...body, ...step[1] }, status: ANY }];
}

export const WORKER_OPERATIONS: readonly Operation[] = [
  { weight: 4, needs: ['worker'], steps: takeLease },
  { weight: 30, needs: ['worker'], isPossible: ({ present }) => present === undefined, steps: takeLease },
  {
    weight: 3,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [
      session.isLucky(0.3)
        ? { http: 'POST S/worker/heartbeat', role: session.present, text: heartbeatOf(session.present), status: ANY }
        : workerHttp(session, 'POST S/worker/heartbeat', {}),
    ],
  },
  { weight: 5, needs: ['worker'], isPossible: hasWorker, steps: (session) => [stateReport(session)] },
  {
    weight: 5,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [
      ...(session.isLucky(0.5) ? [stateReport(session)] : []),
      { http: 'GET S/worker', role: session.present, status: ANY },
    ],
  },
  {
    weight: 4,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) =>
      Array.from({ length: 3 + session.below(6) }, () =>
        session.isLucky(0.6) ? stateReport(session) : { http: 'GET S/worker', role: session.present, status: ANY },
      ),
  },
  {
    weight: 6,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [workerHttp(session, 'POST S/worker/events/delivery', { updates: marksOf(session) })],
  },
  { weight: 6, needs: ['worker'], isPossible: ({ workers }) => workers.length > 0, steps: refusable },
  { weight: 2, needs: ['worker', 'transcript'], isPossible: hasWorker, steps: readPages },
  { weight: 2, needs: ['worker', 'register'], steps: leasesInTurns },
  {
    weight: 5,
    needs: ['worker', 'transcript'],
    isPossible: hasWorker,
    steps: (session) => [
      workerHttp(session, 'POST S/worker/internal-events', {
        events: session.isLucky(0.1) ? [...rowsOf(session), session.oneOf(BAD_ENTRIES)] : rowsOf(session),
      }),
      ...(session.isLucky(0.7)
        ? [{ http: `GET S/worker/internal-events${session.oneOf(QUERIES)}`, role: session.present, status: ANY }]
        : []),
    ],
  },
];
