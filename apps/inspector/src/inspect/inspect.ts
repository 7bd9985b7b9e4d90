import { basename } from 'node:path';
import { checkProgram, type Endpoint, isOwnStdio } from '@proto/remote/bridge';
import { BridgedSession, FileSession, type InspectedSessions, oneSession, serveInspector } from '@proto/inspector';
import { SessionError } from '@proto/remote';
import type { RunProcess } from '@proto/terminal';
import { ConnectError, missingAgent } from '@proto/terminal/errors';
import { encodeLine } from '@proto/core/framing';
import {
  errorLine,
  type ErrorReport,
  EXIT,
  onSignals,
  plain,
  refuseFile,
  WrongFileError,
} from '@proto/terminal/process';
import { reportOnStderr } from '../bridge/bridge-report.ts';
import { runBridge } from '../bridge/run-bridge.ts';
import { ownVariables } from '../own-variables.ts';
import { absentHost, isHostAbsent } from './absent-host.ts';
import { type InspectOptions, type InspectPlan, planInspect } from './inspect-plan.ts';
import { openBrowser } from './open-browser.ts';

/** What is inspected until the command ends. */
interface Inspected {
  readonly sessions: InspectedSessions;
  /** Runs until the command ends. Fulfils with the exit code. */
  run(): Promise<number>;
  close(): Promise<void> | void;
}

/** `sjp inspect`: serves the page of a session. Fulfils with the exit code, which is that of the child of a bridge. */
export async function runInspect(
  what: readonly string[],
  program: readonly string[],
  options: InspectOptions,
  here: RunProcess = process,
): Promise<number> {
  const fail = (exitCode: number, report: ErrorReport & { readonly text?: string }) => {
    const { text = report.hint === undefined ? report.message : `${report.message}; ${report.hint}` } = report;
    here.stderr.write(options.json === true ? errorLine(report) : `sjp inspect: ${plain(text)}\n`);
    return exitCode;
  };
  let inspected: Inspected | undefined;
  try {
    const plan = planInspect(what, program, options, { cwd: here.cwd(), env: here.env });
    inspected = await inspect(plan, options, here);
    return await serve(inspected, plan, options, here);
  } catch (error) {
    const missing = missingAgent(error);
    if (missing !== undefined) return fail(EXIT.unreachable, missing);
    if (error instanceof SessionError) {
      const { report, exitCode } = ConnectError.of(error);
      return fail(exitCode, report);
    }
    const { code = 'usage', message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      return fail(EXIT.failed, {
        code: 'address_in_use',
        message: `port ${options.port} is taken`,
        hint: '--port 0 takes a free one',
      });
    }
    return fail(EXIT.usage, { code, message });
  } finally {
    await inspected?.close();
  }
}

async function inspect(plan: InspectPlan, options: InspectOptions, here: RunProcess): Promise<Inspected> {
  if (plan.kind === 'file') return inspectFile(plan.file, here);
  if (plan.kind === 'bridge') return inspectBridge(plan, options, here);
  const { inspectServer } = await import('./inspect-server.ts');
  return { ...(await inspectServer(plan, options, here)), run: () => untilSignal(here) };
}

async function inspectFile(file: string, here: RunProcess): Promise<Inspected> {
  const session = await FileSession.open(file).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(new Error(`${file} cannot be read: ${error.code ?? error.message}`), { code: 'usage' });
  });
  try {
    await refuseFile(file, 'sjp inspect', 'messages');
  } catch (error) {
    // The page shows that a file is empty, and follows the file: a program may just begin to write it.
    if (!(error instanceof WrongFileError && error.note.kind === 'empty')) {
      await session.close();
      throw error;
    }
  }
  const sessions = oneSession('file', basename(file), session);
  return { sessions, run: () => untilSignal(here), close: () => session.close() };
}

function inspectBridge(
  { bridge }: Extract<InspectPlan, { kind: 'bridge' }>,
  { tap, json = false }: InspectOptions,
  here: RunProcess,
): Inspected {
  const { env } = here;
  const host = bridge.host as Endpoint;
  for (const endpoint of [host, bridge.agent]) {
    checkProgram(endpoint, { env, variables: (words) => ownVariables(words, env) });
  }
  const session = new BridgedSession({ path: tap });
  const report = reportOnStderr(here.stderr, json);
  const isAlone = isOwnStdio(host) && isHostAbsent(here);
  const settings = { plan: bridge, openTap: () => session, report, cwd: here.cwd(), env, signals: here };
  const name = typeof bridge.agent === 'string' ? bridge.agent : basename(bridge.agent[0] ?? 'agent');
  return {
    // An address may hold a secret in its query.
    sessions: oneSession('bridge', name.replace(/[?#].*/, ''), session),
    run: () => runBridge(settings, isAlone ? { client: absentHost(here), session: 1 } : { host }),
    close: () => session.dispose(),
  };
}

/** Serves the page while something is inspected. */
async function serve(
  inspected: Inspected,
  plan: InspectPlan,
  options: InspectOptions,
  here: RunProcess,
): Promise<number> {
  const server = await serveInspector(inspected.sessions, plan.port);
  const link = server.link();
  here.stderr.write(
    options.json === true
      ? encodeLine({ type: 'listening', eventVersion: 1, url: server.url, link, validMs: 60_000 })
      : `inspector  ${link}\n           (good once, for 60 s)\n`,
  );
  const warn = (message: string) => void here.stderr.write(`sjp inspect: ${plain(message)}\n`);
  const forget = options.open === true ? openBrowser(server.link(), warn) : () => {};
  try {
    return await inspected.run();
  } finally {
    forget();
    await server.close();
  }
}

/** Waits for a signal that asks this process to stop. Fulfils with 0. */
async function untilSignal(here: RunProcess): Promise<number> {
  await new Promise<void>((resolve) => {
    const leave = onSignals(here, { SIGINT: () => stop(), SIGTERM: () => stop() });
    const stop = () => {
      leave();
      resolve();
    };
  });
  return EXIT.ok;
}
