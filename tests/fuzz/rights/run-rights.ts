import { randomFrom } from '../../schedules/random.ts';
import { type FuzzServer, startServer, type StartServerOptions } from '../server/start-server.ts';
import { ANSWER_STEPS } from './answer-steps.ts';
import { BODY_STEPS } from './body-steps.ts';
import { checkRoom } from './check-log.ts';
import { CLIENT_STEPS } from './client-steps.ts';
import { ID_STEPS } from './id-steps.ts';
import { INITIALIZE_STEPS } from './initialize-steps.ts';
import { LEGAL_STEPS } from './legal-steps.ts';
import { findingsOfStore } from './check-store.ts';
import type { Finding } from './marks.ts';
import { READING_STEPS } from './reading-steps.ts';
import { Room } from './room.ts';
import type { Step } from './step.ts';
import { MEDIA, type Medium } from './stream-reader.ts';
import { findingsOfTrial, TRIALS } from './trials.ts';
import { WORKER_STEPS } from './worker-steps.ts';

const STEPS: Readonly<Record<string, Step>> = {
  ...CLIENT_STEPS,
  ...WORKER_STEPS,
  ...ANSWER_STEPS,
  ...ID_STEPS,
  ...INITIALIZE_STEPS,
  ...READING_STEPS,
  ...LEGAL_STEPS,
  ...BODY_STEPS,
};
/** Steps with the most forms run most often. */
const KINDS: readonly string[] = [
  ...Object.keys(STEPS),
  ...Array<string>(6).fill('approver-post'),
  ...Array<string>(3).fill('approver-line'),
  ...Array<string>(3).fill('any-body'),
];
/** The first word of a schedule that runs a trial; the name of the trial follows. */
const TRIAL = 'trial';
const STEPS_OF_A_SESSION = 24;
/** After so many sessions a new server is started, and the store of the previous server is checked. */
const SESSIONS_OF_A_SERVER = 40;

/** A schedule: the medium of the worker, and steps with their numbers, such as `approver-post:123`. */
export type Schedule = readonly string[];

/** A finding, and the schedule that reproduces it. */
export interface RightsFinding extends Finding {
  /** The shortest schedule found that reproduces the finding. */
  readonly schedule: Schedule;
}

/** Returns the schedule of one session, which depends only on the seed and the number of the session. */
export function scheduleOf(seed: number, session: number, kinds: readonly string[] = KINDS): Schedule {
  const random = randomFrom(seed, 'rights', session);
  const steps = Array.from({ length: STEPS_OF_A_SESSION }, () => {
    const kind = kinds[Math.floor(random() * kinds.length)] as string;
    return `${kind}:${Math.floor(random() * 1e6)}`;
  });
  return [MEDIA[Math.floor(random() * MEDIA.length)] as string, ...steps];
}

/** Runs a schedule on a server, and returns the findings. Calls `opened` with the room. */
async function findingsOf(
  server: FuzzServer,
  schedule: Schedule,
  opened?: (room: Room) => void,
): Promise<readonly Finding[]> {
  const [medium, ...steps] = schedule;
  const room = await Room.open(server, medium as Medium);
  opened?.(room);
  try {
    for (const step of steps) {
      const kind = step.split(':', 1)[0] as string;
      const run = STEPS[kind];
      if (run === undefined) throw new Error(`no such step: ${step}. There are: ${Object.keys(STEPS).join(', ')}`);
      await run(room, randomFrom(step), step);
    }
    await checkRoom(room);
  } finally {
    room.close();
  }
  return room.findings;
}

/** The options of a run. */
export interface RightsOptions {
  readonly seed: number;
  /** The end of the run, on the clock of `performance.now()`. */
  readonly until: number;
  /** The largest number of sessions. */
  readonly sessions?: number;
  readonly kinds?: readonly string[] | undefined;
  /** Runs only this schedule. */
  readonly only?: Schedule | undefined;
  /** Default: all. */
  readonly trials?: readonly string[];
  readonly server?: StartServerOptions;
  /** Called once for each kind of finding. */
  readonly onFinding?: (finding: RightsFinding) => void;
}

/** Runs the schedules of a seed, or the given one. Returns the first finding of each kind. */
export async function runRights(options: RightsOptions) {
  const { seed, until, kinds, only, trials = Object.keys(TRIALS), onFinding = () => {} } = options;
  const sessions = only === undefined ? (options.sessions ?? Number.POSITIVE_INFINITY) : 1;
  const found = new Map<string, RightsFinding>();
  let count = 0;
  const note = (finding: Finding, schedule: Schedule) => {
    if (found.has(finding.kind)) return;
    found.set(finding.kind, { ...finding, schedule });
    onFinding({ ...finding, schedule });
  };
  const [first = '', name = ''] = only ?? [];
  for (const trial of first === TRIAL ? [name] : only === undefined ? trials : []) {
    for (const finding of await findingsOfTrial(trial)) note(finding, [TRIAL, trial]);
  }
  while (first !== TRIAL && count < sessions && (count === 0 || performance.now() < until)) {
    await using server = await startServer({ store: 'file', ...options.server });
    const rooms = new Map<number, Room>();
    const marks = new Set<string>();
    for (let here = 0; here < SESSIONS_OF_A_SERVER && count < sessions; here++) {
      if (count > 0 && performance.now() > until) break;
      const number = count++;
      const schedule = only ?? scheduleOf(seed, number, kinds);
      for (const finding of await findingsOf(server, schedule, (room) => rooms.set(number, room))) {
        if (finding.mark !== undefined) marks.add(finding.mark);
        if (!found.has(finding.kind)) note(finding, only ?? (await shortest(server, schedule, finding)));
      }
    }
    for (const { room, ...finding } of await findingsOfStore(server, rooms, marks)) {
      note(finding, only ?? scheduleOf(seed, room, kinds));
    }
  }
  return { sessions: count, findings: [...found.values()] };
}

/** Returns the shortest part of a schedule that reproduces a finding: its step alone, or all steps that are needed. */
async function shortest(server: FuzzServer, schedule: Schedule, finding: Finding): Promise<Schedule> {
  const shows = async (shorter: Schedule) =>
    (await findingsOf(server, shorter)).some(({ kind }) => kind === finding.kind);
  const [medium = 'sse', ...steps] = schedule;
  const alone = [medium, ...steps.filter((step) => finding.step.startsWith(step)).slice(0, 1)];
  if (alone.length > 1 && (await shows(alone))) return alone;
  let minimal = schedule;
  for (let place = 1; place < minimal.length; ) {
    const shorter = minimal.toSpliced(place, 1);
    if (await shows(shorter)) minimal = shorter;
    else place++;
  }
  return minimal;
}
