import { parseJson } from '@proto/core/framing';
import { Inbox } from '@proto/testkit/steps';

import type { HostProgram, HostResult, HostRun, RunningHost } from './host-program.ts';
import { ProgramProcess } from './program-process.ts';

/**
 * `SJP_CONFORMANCE_AGENT` contains the path of the agent, and `SJP_CONFORMANCE_SCENARIO` the actions of the user. The person who runs the suite names
 * the program's features.
 */
export function createCommandProgram(command: readonly string[], features: ReadonlySet<string>): HostProgram {
  const running = new Set<ProgramProcess>();
  return {
    description: command.join(' '),
    features,
    start: (run) => Promise.resolve(startCommand(command, run, features, running)),
    close: () => {
      for (const child of running) child.kill();
    },
  };
}

function startCommand(
  command: readonly string[],
  run: HostRun,
  features: ReadonlySet<string>,
  running: Set<ProgramProcess>,
): RunningHost {
  const inbox = new Inbox();
  const started = performance.now();
  const add = (value: unknown, text = '') => inbox.add({ value, text, at: performance.now() - started });
  const child = new ProgramProcess(command, environmentOf(run), (text) => {
    const message = features.has('messages') ? parse(text) : undefined;
    if (message !== undefined) add({ type: 'message', message }, text);
  });
  running.add(child);
  const result = child.exit.then(({ code, description }): HostResult => {
    running.delete(child);
    const outcome: HostResult = code === 0 ? {} : { error: `The program ${description}` };
    add({ type: 'result', ...outcome });
    inbox.end('the program has ended');
    return outcome;
  });
  child.endInput();
  const send = () => {
    throw new Error('A program without the adapter protocol cannot receive orders.');
  };
  return { inbox, result, answers: undefined, send, stop: () => child.kill() };
}

function environmentOf(run: HostRun): Record<string, string> {
  const { agent, case: id, ...scenario } = run;
  return {
    SJP_CONFORMANCE_AGENT: agent,
    SJP_CONFORMANCE_CASE: id,
    SJP_CONFORMANCE_SCENARIO: JSON.stringify(scenario),
  };
}

/** A line that is not JSON is output for human readers. */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
