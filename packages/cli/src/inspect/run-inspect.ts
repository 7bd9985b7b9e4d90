import { inspect } from '@proto/inspector';
import { encodeLine } from '@proto/core/framing';
import { SessionError } from '@proto/remote';
import type { RunProcess } from '@proto/terminal';
import { ConnectError, missingAgent } from '@proto/terminal/errors';
import { errorLine, type ErrorReport, EXIT, onInterrupts, plain } from '@proto/terminal/process';
import { reportOnStderr } from '../bridge/bridge-report.ts';
import { ownVariables } from '../own-variables.ts';
import { tokenFinder } from '../token-file.ts';
import { type InspectFlags, planInspect } from './inspect-plan.ts';

/** `sjp inspect`: serves the page of a session until a signal. Fulfils with the exit code, which is that of the child of a bridge. */
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
      onEvent: reportOnStderr(here.stderr, json),
      open,
      onNoBrowser: say,
    });
    const { url, closed, abort } = page;
    const leave = onInterrupts(here, { ...page, kill: abort });
    const link = page.link();
    here.stderr.write(
      json
        ? encodeLine({ type: 'listening', eventVersion: 1, url, link, validMs: 60_000 })
        : `inspector  ${link}\n           (good once, for 60 s)\n`,
    );
    return await closed.finally(leave);
  } catch (error) {
    const { exitCode, text, ...report } = failureOf(error, flags.port);
    if (json) here.stderr.write(errorLine(report));
    else say(text ?? [report.message, report.hint].filter((part) => part !== undefined).join('; '));
    return exitCode;
  }
}

/** Says why there is no page, or no bridge, with the exit code for that. */
function failureOf(error: unknown, port: string): ErrorReport & { readonly exitCode: number; readonly text?: string } {
  const missing = missingAgent(error);
  if (missing !== undefined) return { exitCode: EXIT.unreachable, ...missing };
  if (error instanceof SessionError) {
    const { report, exitCode } = ConnectError.of(error);
    return { exitCode, ...report };
  }
  const { code = 'usage', message } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE') return { exitCode: EXIT.usage, code, message };
  const taken = { code: 'address_in_use', message: `port ${port} is taken`, hint: '--port 0 takes a free one' };
  return { exitCode: EXIT.failed, ...taken };
}
