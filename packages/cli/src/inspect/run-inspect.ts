import { inspect } from '@proto/inspector';
import { encodeLine } from '@proto/core/framing';
import type { RunProcess } from '@proto/terminal';
import { errorLine, EXIT, onInterrupts, plain } from '@proto/terminal/process';
import { reportBridge } from '@proto/terminal/reports';
import { type Failure, failureOf } from '@proto/terminal/errors';
import { ownVariables } from '../own-variables.ts';
import { tokenFinder } from '../token-file.ts';
import { type InspectFlags, planInspect } from './inspect-plan.ts';

export async function runInspect(
  what: readonly string[],
  program: readonly string[],
  { open, json = false, tokenFile, ...flags }: InspectFlags,
  here: RunProcess = process,
): Promise<number> {
  const say = (text: string) => void here.stderr.write(`sjp inspect: ${plain(text)}\n`);
  try {
    const page = await inspect({
      ...planInspect(what, program, flags, here),
      env: here.env,
      variables: (words) => ownVariables(words, here.env),
      token: tokenFinder(tokenFile, here),
      onEvent: reportBridge(here.stderr, { name: 'sjp bridge', json }),
      open,
      onNoBrowser: say,
    });
    const { url, closed, abort } = page;
    const leave = onInterrupts(here, { ...page, kill: abort });
    const link = page.link();
    here.stderr.write(
      json
        ? encodeLine({ type: 'listening', eventVersion: 1, url, link, validMs: 60_000 })
        : `inspector  ${link}\n           (can be used once, within 60 s)\n`,
    );
    return await closed.finally(leave);
  } catch (error) {
    const taken = {
      code: 'address_in_use',
      message: `port ${flags.port} is already in use`,
      hint: 'use --port 0 for a free port',
    };
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const failure: Failure = isTaken ? { exitCode: EXIT.failed, ...taken } : failureOf(error);
    const { message, hint, text = hint === undefined ? message : `${message}; ${hint}` } = failure;
    if (json) here.stderr.write(errorLine(failure));
    else say(text);
    return failure.exitCode;
  }
}
