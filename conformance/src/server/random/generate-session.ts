import type { Random, Step } from '@proto/testkit/steps';

import type { Case } from '../../cases/case-schema.ts';
import { generateCases, type RandomSessions } from '../../random/random-sessions.ts';
import type { ServerProfile } from '../server-profile.ts';
import { archive, CLOSED_OPERATIONS, fill } from './closed-operations.ts';
import { answerOf, promptOf, reportOf } from './messages.ts';
import { catchUp, readAll } from './catch-up.ts';
import { archiveMeanwhile, DIVIDED_BODIES } from './divided-bodies.ts';
import { LINK_OPERATIONS } from './link-operations.ts';
import { POST_OPERATIONS, workerHttp } from './post-operations.ts';
import { REFUSED_OPERATIONS } from './refused-operations.ts';
import { SOCKET_OPERATIONS } from './socket-operations.ts';
import { ANY, type Operation, SessionWriter, together } from './session-writer.ts';
import { WORKER_OPERATIONS } from './worker-operations.ts';

/** The cases for a number of generated sessions. The sessions use only what the profile declares. */
export function generateSessions(random: RandomSessions, profile: ServerProfile): Case[] {
  const possible = OPERATIONS.filter(({ needs = [] }) => needs.every((need) => profile.declares.includes(need)));
  return generateCases('server', random, (numbers) => ({ spec: 'REM-14', ...write(numbers, profile, possible) }));
}

const OPERATIONS: readonly Operation[] = [
  ...POST_OPERATIONS,
  ...LINK_OPERATIONS,
  ...SOCKET_OPERATIONS,
  ...WORKER_OPERATIONS,
  ...REFUSED_OPERATIONS,
  ...CLOSED_OPERATIONS,
  ...DIVIDED_BODIES,
  { weight: 6, needs: ['sse'], steps: catchUp },
];
const LENGTHS = [12, 40, 100];

function write(
  random: Random,
  profile: ServerProfile,
  operations: readonly Operation[],
): Pick<Case, 'start' | 'steps'> {
  const session = new SessionWriter(random, profile);
  const used = session.someOf(operations);
  const steps: Step[] = [];
  for (let left = 3 + session.below(session.oneOf(LENGTHS)); left > 0; left--)
    steps.push(...session.weighted(used.filter(({ isPossible = () => true }) => isPossible(session))).steps(session));
  if (session.declares('sse')) steps.push(...catchUp(session), ...readAll(session), ...catchUp(session));
  const ending = session.below(20);
  if (session.declares('archive') && ending < 5) steps.push(...archived(session));
  const hasLimit = session.declares('streams') && profile.limits.streams !== undefined && session.declares('sse');
  if (hasLimit && ending === 5) steps.push(...fill(session));
  return { start: {}, steps };
}

/** Nobody can write to an archived session, and viewers read what is stored. */
function archived(session: SessionWriter): readonly Step[] {
  const worker = session.present;
  const ofWorker =
    worker === undefined
      ? []
      : [
          { post: reportOf(session), role: worker, status: ANY },
          workerHttp(session, 'POST S/worker/heartbeat', {}),
          workerHttp(session, 'PUT S/worker', { external_metadata: { late: 1 } }),
          { http: 'GET S/worker', role: worker, status: ANY },
          ...(session.declares('transcript')
            ? [{ http: 'GET S/worker/internal-events', role: worker, status: ANY }]
            : []),
          ...(session.declares('register')
            ? [{ http: 'POST S/worker/register', role: worker, body: {}, status: ANY }]
            : []),
        ];
  const late: readonly Step[] = [
    { post: promptOf(session), status: ANY },
    ...(session.asked.length === 0 ? [] : [{ post: answerOf(session, session.oneOf(session.asked)), status: ANY }]),
    ...(session.declares('bridge') ? [{ http: 'POST S/bridge', body: {}, status: ANY }] : []),
    ...ofWorker,
  ];
  const reader = session.newName('late');
  const from = session.isLucky(0.5) ? { from: session.below(session.stored + 1) } : {};
  const { readers } = session;
  return [
    session.isLucky(0.4) ? archiveMeanwhile(session) : archive(session),
    ...(session.isLucky(0.4) ? readers.map(({ name }) => ({ close: name })) : []),
    ...late.filter(() => session.isLucky(0.6)),
    ...(session.declares('sse')
      ? [
          together([
            { open: reader, ...from, spec: 'REM-47' },
            { expect: { frame: { kind: 'session_archived' } }, by: reader, spec: 'EVS-22', within: 5000 },
          ]),
        ]
      : []),
  ];
}
