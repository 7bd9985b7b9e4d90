import { setTimeout } from 'node:timers/promises';
import type { RunProcess } from '@proto/terminal';
import { createLog, errorLine, type ErrorReport, EXIT, messageFor, plain, stopSignals } from '@proto/terminal/process';
import { missingAgent } from '@proto/terminal/errors';
import type { SessionServer } from '@proto/ingress/node';
import type { Warn } from './start-server.ts';
import { planServe, type ServeOptions, type ServePlan } from './serve-plan.ts';
import { reportAsJson, reportServer } from '@proto/terminal/reports';

// How long the server waits for killed agents, and for the processes that they started, to end.
const HURRY_MS = 2000;

// The error codes that count as command-line errors. Some of them concern a file that an option names: it contains no token, or is not a log.
const IS_USAGE = ['usage', 'notify', 'failed', 'version'];

const STORE_HINTS: Readonly<Record<string, string>> = {
  'in-use': '--store FILE selects another file, --store memory keeps sessions in memory',
  'not-migrated': 'sjp store migrate creates the tables, or updates them',
  'not-installed': 'install libsql, or keep the sessions in memory until the server ends: --store memory',
};

export async function runServe(
  agent: readonly string[],
  options: ServeOptions,
  here: Omit<RunProcess, 'stdin'> = process,
): Promise<number> {
  const { output, fail } = outputOf(options, here);
  const { report } = output;
  let plan: ServePlan;
  try {
    plan = planServe(options);
  } catch (error) {
    return fail(EXIT.usage, { code: 'usage', message: messageFor(error as Error) });
  }
  // Signals are handled from here on, so that a signal also ends a server that is still starting.
  const stopped = stopSignals(here);
  let server: SessionServer;
  try {
    const { startServer } = await import('./start-server.ts');
    server = await startServer(plan, agent, here, output);
  } catch (error) {
    const missing = missingAgent(error);
    if (missing !== undefined) return fail(EXIT.unreachable, missing);
    const { code = 'error', message } = error as Error & { code?: string };
    if (code === 'EADDRINUSE') {
      const taken = {
        code: 'address_in_use',
        message: `${options.listen} is already in use`,
        hint: 'use port 0 for a free port',
      };
      return fail(EXIT.failed, taken);
    }
    // The accounts file or an issuer's keys cannot be used.
    if (code === 'unavailable') return fail(EXIT.usage, { code: 'usage', message });
    return fail(IS_USAGE.includes(code) ? EXIT.usage : EXIT.failed, { code, message, hint: STORE_HINTS[code] });
  }
  const signal = await stopped.first;
  report({ type: 'draining', signal });
  const closed = server.close();
  const again = await Promise.race([closed.then(() => undefined), stopped.second]);
  if (again !== undefined) {
    server.abort();
    await Promise.race([closed, setTimeout(HURRY_MS, undefined, { ref: false })]);
  }
  report({ type: 'result', ok: again === undefined });
  stopped.leave();
  return again === undefined ? EXIT.ok : EXIT[again === 'SIGINT' ? 'interrupted' : 'terminated'];
}

function outputOf(options: ServeOptions, here: Omit<RunProcess, 'stdin'>) {
  const json = options.json === true;
  const { logLevel: level, logFormat: format } = options;
  const log = createLog(here.stderr, { level, format, debug: here.env['DEBUG'] });
  const report = json ? reportAsJson(here.stdout) : reportServer(log, 'sjp serve');
  const warn: Warn = (code, message) => {
    const fields = { code, message };
    if (json) here.stderr.write(`${JSON.stringify({ warning: fields })}\n`);
    else log.write({ level: 'warn', event: 'warning', text: `sjp serve: ${plain(message)}`, fields });
  };
  const fail = (exitCode: number, { text, ...fields }: ErrorReport & { readonly text?: string }) => {
    const { message, hint } = fields;
    const said = text ?? (hint === undefined ? message : `${message}; ${hint}`);
    if (json) here.stderr.write(errorLine(fields));
    else
      log.write({
        level: 'error',
        event: 'failed',
        text: `sjp serve: ${plain(said)}`,
        fields: { code: fields.code, message, hint },
      });
    return exitCode;
  };
  return { output: { report, warn, log }, fail };
}
