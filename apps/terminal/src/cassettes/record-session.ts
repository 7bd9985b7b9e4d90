import { createRedactor } from '@proto/recording';
import { openPrivateFile } from '@proto/recording/node';
import { aboutHost, createTap, type FileTap } from '@proto/remote/bridge';
import { recordCassette } from '@proto/testkit/cassettes';
import { EXIT } from '../process/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { CassetteFailure, type CassetteOptions, joinHost, orExplain, startAgent } from './cassette-agent.ts';

/**
 * Records a session of the host at stdin and stdout with an agent, and the agent's requests to its API, as a cassette without secrets. Only the owner
 * of the file can read it. Fulfils with the exit code of the agent, with 2 if the file cannot be written, and with 4 if the agent cannot be started.
 */
export function recordSession(
  file: string,
  agent: readonly string[],
  options: CassetteOptions,
  here: RunProcess,
): Promise<number> {
  return orExplain(options, here, async () => {
    const out = openTape(file, options, here);
    try {
      const recorder = await recordCassette({
        write: out.write,
        redactor: createRedactor({ env: here.env }),
        launch: { args: agent.slice(1), env: aboutHost(here.env) },
      }).catch((error: unknown) => {
        throw new CassetteFailure(EXIT.usage, error);
      });
      try {
        const child = await startAgent(agent, recorder.env, options, here);
        return await joinHost(child, recorder.record(child), here);
      } finally {
        await recorder.close();
      }
    } finally {
      out.close();
    }
  });
}

function openTape(file: string, { name }: CassetteOptions, { stderr }: RunProcess): FileTap {
  let descriptor: number;
  try {
    descriptor = openPrivateFile(file);
  } catch (error) {
    throw new CassetteFailure(EXIT.usage, error);
  }
  return createTap(descriptor, ({ message }) => stderr.write(`${name}: the file is incomplete: ${message}\n`));
}
