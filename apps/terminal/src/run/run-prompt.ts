import { once } from 'node:events';
import type { WireMessage } from '@proto/core/framing';
import type { PermissionRecord } from '@proto/permissions';
import { followLinks } from '@proto/permissions/node';
import { createRedactor } from '@proto/recording';
import { createAskUser } from '../ask/ask-user.ts';
import { createPermissions, type Permissions } from '../ask/permissions.ts';
import { failureText } from '../errors.ts';
import { EXIT, exitCodeOf, type RunEnd } from '../process/exit-code.ts';
import { messageFor } from '../process/file-reason.ts';
import { createNdjsonOutput, createResultOutput, type RunOutput } from '../view/outputs.ts';
import { createPaint, plain } from '../view/terminal-text.ts';
import { createTextView } from '../view/text-view.ts';
import { runAdapter } from './run-adapter.ts';
import { runAgent } from './run-agent.ts';
import { planRun, type RunOptions, type RunPlan, type RunProcess } from './run-plan.ts';

export type { RunOptions } from './run-plan.ts';

/**
 * Hosts an agent for one prompt. Fulfils with the exit code, and reports errors to stderr. `agent` is a command line. With an adapter, `agent`
 * replaces the program of the backend, and may be empty.
 */
export async function runPrompt(
  prompt: string | undefined,
  agent: readonly string[],
  options: RunOptions,
  here: RunProcess,
): Promise<number> {
  const log = createLog(options, here);
  const plan = await planRun(prompt, agent, options, here).catch((error: Error) => error);
  if (plan instanceof Error) {
    log.complain('usage', messageFor(plan));
    return EXIT.usage;
  }
  const { output, endLine } = createOutput(options, here);
  const canAsk = here.stdin.isTTY === true && here.stderr.isTTY === true;
  const user = canAsk ? createAskUser(here.stdin, here.stderr, endLine) : undefined;
  const onDecision = (decision: PermissionRecord) => {
    if (options.format !== 'text') log.line(JSON.stringify({ permission: decision }));
    // The user can already see an answer that the user typed.
    else if (decision.source !== 'person') {
      endLine();
      log.line(`? ${decision.call} ${decision.behavior === 'allow' ? 'allowed' : 'denied'}: ${plain(decision.by)}`);
    }
  };
  const { home } = options;
  const permissions = createPermissions({ rules: plan.rules, user, cwd: here.cwd(), home, followLinks, onDecision });
  const end = await run({ plan, agent, options, here, log, output, permissions });
  user?.close();
  output.end();
  const recorded = plan.recorder?.end();
  if (recorded !== undefined) log.line(recorded);
  if (end.stopped === 'timeout') log.complain('timeout', `stopped after ${options.timeout}`);
  else if (end.stopped === 'idle')
    log.complain('timeout', `stopped after the agent was silent for ${options.idleTimeout}`);
  else if (end.error !== undefined) log.failure(end.error);
  const refused = permissions.isUnasked || (options.failOnDeny === true && permissions.isDenied);
  return exitCodeOf({ ...end, refused });
}

interface Run {
  readonly plan: RunPlan;
  readonly agent: readonly string[];
  readonly options: RunOptions;
  readonly here: RunProcess;
  readonly log: Log;
  readonly output: RunOutput;
  readonly permissions: Permissions;
}

function run({ plan, agent, options, here, log, output, permissions }: Run): Promise<Omit<RunEnd, 'refused'>> {
  const program = {
    ...plan,
    cwd: here.cwd(),
    env: here.env,
    signals: here,
    variables: options.variables,
    onMessage: async (message: WireMessage) => {
      output.message(message);
      if (here.stdout.writableNeedDrain) await once(here.stdout, 'drain');
    },
    onStderr: (piece: string) => void here.stderr.write(piece),
  };
  if (plan.foreign !== undefined) {
    const onMalformed = ({ lineNo, reason }: { readonly lineNo: number; readonly reason: string }) =>
      log.complain('malformed', `line ${lineNo} was skipped: ${reason}`);
    return runAdapter({ ...program, ...plan.foreign, onMalformed });
  }
  const [command = '', ...args] = agent;
  const onWarning = (text: string) => log.complain('malformed', text);
  return runAgent({
    ...program,
    command,
    args,
    until: options.until,
    canUseTool: permissions.canUseTool,
    onWarning,
  });
}

/** Writes lines to stderr. Secrets are removed from the lines, because other people may read a log later. */
interface Log {
  line(text: string): void;
  failure(error: unknown): void;
  complain(code: string, message: string): void;
}

function createLog({ name, format, redact }: RunOptions, { stderr, env }: RunProcess): Log {
  const redactor = createRedactor({ env });
  const line = (text: string) => void stderr.write(`${redact === false ? text : redactor.line(text).text}\n`);
  const failure = (error: unknown) => line(failureText(error, format, name));
  return { line, failure, complain: (code, message) => failure(Object.assign(new Error(message), { code })) };
}

/** `endLine` ends an unfinished line of text. */
function createOutput({ format, color }: RunOptions, here: RunProcess) {
  const { env, stdout } = here;
  if (format === 'text') {
    const output = createTextView({ output: stdout, paint: createPaint(color, env, stdout), cwd: here.cwd() });
    return { output, endLine: () => output.endLine() };
  }
  const output = format === 'ndjson' ? createNdjsonOutput(stdout) : createResultOutput(stdout, format);
  return { output, endLine: () => {} };
}
