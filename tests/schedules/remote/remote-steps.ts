import { CUTS, FATES } from './world.ts';

const CLIENTS = ['ann', 'ben', 'eve', 'the worker'] as const;
/** Streams break after so many bytes: within a frame, or between two frames. */
const MAX_CUT_BYTES = 700;

/** The steps, and how often each happens compared with the others. */
const ACTIONS: Readonly<Record<string, number>> = {
  'ann says one': 3,
  'ann says three': 1,
  'ben says one': 2,
  'eve says one': 2,
  'eve joins': 2,
  'max joins': 1,
  'the worker says one': 3,
  'the worker says three': 1,
  'the worker says an increment': 1,
  'the worker streams': 1,
  'the worker says very much': 0.2,
  'the worker asks': 3,
  'the worker answers': 2,
  'the worker takes back': 1,
  'the worker is done': 2,
  'ann answers': 2,
  'ben answers': 2,
  'eve answers': 2,
  'eve repeats': 1,
  'eve answers again': 1,
  'max answers': 1,
  'ann starts again': 1,
  'ben starts again': 1,
  'eve starts again': 1,
  'ann is busy': 0.5,
  'ann is free': 0.5,
  'ann has another token': 1,
  'ben has another token': 1,
  'eve is shut out': 0.5,
  'eve may only look on': 0.5,
  'the worker starts again': 1,
  'another worker comes': 2,
  'the worker before says one': 3,
  'the worker before is done': 1,
  'the server is killed': 2,
  'the server is drained': 1,
  'a write fails': 1,
  'the disk hangs': 1,
  'a moment': 3,
  'a tick': 6,
  'a bit of time': 6,
  'a second': 3,
  'a minute': 1,
};

/** The steps with WebSockets: ben uses one while that is allowed, and so do the workers. */
const SOCKET_ACTIONS: Readonly<Record<string, number>> = {
  ...ACTIONS,
  'ben says one': 4,
  'ben says three': 2,
  'ben moves': 4,
  'another worker comes by socket': 4,
  'a published worker comes': 3,
  'a published worker goes on': 2,
};

const STEPS_OF_A_WEIGHT = 300;

/** Every step, repeated by its frequency. */
function repeated(actions: Readonly<Record<string, number>>): readonly string[] {
  const steps = Object.entries(actions).flatMap(([step, weight]) =>
    Array<string>(weight * STEPS_OF_A_WEIGHT).fill(step),
  );
  for (const client of CLIENTS) {
    for (const fate of FATES) steps.push(...Array<string>(STEPS_OF_A_WEIGHT / 2).fill(`${client}: ${fate}`));
    for (const pace of ['reads', 'does not read'])
      steps.push(...Array<string>(STEPS_OF_A_WEIGHT / 3).fill(`${client}: ${pace}`));
    for (let n = 0; n < STEPS_OF_A_WEIGHT * 2; n++) {
      steps.push(
        `${client}: ${CUTS[n % CUTS.length]} after ${Math.floor((n * MAX_CUT_BYTES) / STEPS_OF_A_WEIGHT / 2)}`,
      );
    }
  }
  return steps;
}

// Thousands of schedules are drawn from the same steps.
const STEPS = repeated(ACTIONS);
const SOCKET_STEPS = repeated(SOCKET_ACTIONS);

/** The steps to draw from, with WebSockets or without. */
export function remoteSteps(sockets: boolean): readonly string[] {
  return sockets ? SOCKET_STEPS : STEPS;
}
