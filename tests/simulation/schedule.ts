import type { Random } from '../schedules/random.ts';
import { randomFrom } from '../schedules/random.ts';
import { remotePassages } from '../schedules/remote/remote-passages.ts';
import { remoteSteps } from '../schedules/remote/remote-steps.ts';
import { scheduleOf } from '../schedules/run-schedules.ts';
import { nodeStep } from './node-steps.ts';

/** How a schedule is drawn. */
export interface ScheduleOptions {
  readonly nodes: number;
  /** Whether some clients use WebSockets. */
  readonly sockets: boolean;
}

const MAX_STEPS = 30;
const CLIENTS = ['ann', 'ben', 'eve', 'the worker'];
/** Bodies of requests have from some hundred to some thousand bytes. */
const MAX_BODY_CUT = 600;

/**
 * Draws the schedule of a seed: steps of the clients, faults of their links and of the nodes, and times to wait. A schedule is data: each step is a
 * text, and any part of a schedule is a schedule.
 */
export function drawSchedule(seed: string, { nodes, sockets }: ScheduleOptions): readonly string[] {
  const random = randomFrom('schedule', seed);
  const scenario = {
    name: 'simulation',
    steps: remoteSteps(sockets),
    passages: remotePassages(sockets),
    maxSteps: MAX_STEPS,
  };
  const steps = scheduleOf({ ...scenario, run: async () => {} }, Math.floor(random() * 2 ** 31), 0);
  return steps.flatMap((step) => [
    ...(random() < 0.5 ? [nodeStep(nodes, random)] : []),
    ...(random() < 0.2 ? [linkStep(random)] : []),
    // Between a fraction of a millisecond and 20 seconds.
    ...(random() < 0.6 ? [`wait ${(10 ** (4.3 * random() - 0.5)).toFixed(2)}`] : []),
    isOfServer(step) ? nodeStep(nodes, random) : step,
  ]);
}

/** Steps of a schedule for one server, in whose place a node is chosen. */
function isOfServer(step: string): boolean {
  return step.startsWith('the server') || step === 'a write fails' || step === 'the disk hangs';
}

function linkStep(random: Random): string {
  const client = CLIENTS[Math.floor(random() * CLIENTS.length)];
  return `${client}: body cut after ${Math.floor(random() * MAX_BODY_CUT)}`;
}
