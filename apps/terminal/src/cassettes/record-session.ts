import { aboutHost, createTap, type FileTap } from '@proto/remote/bridge';
import { createRedactor } from '@proto/recording';
import type { RunProcess } from '@proto/terminal';
import { EXIT, openPrivateFile } from '@proto/terminal/process';
import { recordCassette } from '@proto/testkit/cassettes';
import { CassetteFailure, joinHost, orExplain, startAgent } from './cassette-agent.ts';

/** Records a session of the host at stdin and stdout with an agent, and what the agent asks of its API. Fulfils with the exit code of the agent. */
export function recordSession(file: string, agent: readonly string[], here: RunProcess): Promise<number> {
  return orExplain('record', here, async () => {
    const out = openTape(file, here);
    try {
      const recorder = await recordCassette({
        write: out.write,
        redactor: createRedactor({ env: here.env }),
        launch: { args: agent.slice(1), env: aboutHost(here.env) },
      }).catch((error: unknown) => {
        throw new CassetteFailure(EXIT.usage, error);
      });
      try {
        const child = await startAgent(agent, recorder.env, here);
        return await joinHost(child, recorder.record(child), here);
      } finally {
        await recorder.close();
      }
    } finally {
      out.close();
    }
  });
}

function openTape(file: string, { stderr }: RunProcess): FileTap {
  let descriptor: number;
  try {
    descriptor = openPrivateFile(file);
  } catch (error) {
    throw new CassetteFailure(EXIT.usage, error);
  }
  return createTap(descriptor, ({ message }) => stderr.write(`sjp cassette record: the file broke off: ${message}\n`));
}
