import { once } from 'node:events';
import { createRedactor } from '@proto/recording';
import type { PermissionRecord } from '@proto/permissions';
import { followLinks } from '@proto/permissions/node';
import { plain } from '../view/plain.ts';
import { createAskUser } from '../ask/ask-user.ts';
import { EXIT, exitCodeOf, type RunEnd } from './exit-code.ts';
import { failureText } from '../errors/failure-text.ts';
import { createNdjsonOutput, createResultOutput } from '../view/outputs.ts';
import { createPaint } from '../view/paint.ts';
import { createPermissions } from '../ask/permissions.ts';
import { runAdapter } from './run-adapter.ts';
import { runAgent } from './run-agent.ts';
import { planRun, type RunOptions, type RunProcess } from './run-plan.ts';
import { createTextView } from '../view/text-view.ts';

/**
 * Hosts an agent for one prompt. Gives the exit code. The agent is a command line; with an adapter, it stands for the
 * backend's own program and may be empty.
 */
export async function runPrompt(
  prompt: string | undefined,
  agent: readonly string[],
  options: RunOptions,
  here: RunProcess,
): Promise<number> {
  const { format } = options;
  const redactor = createRedactor({ env: here.env });
  /** A line of a log, which others may read later. */
  const log = (text: string) =>
    void here.stderr.write(`${options.redact === false ? text : redactor.line(text).text}\n`);
  const complain = (code: string, message: string) =>
    log(failureText(Object.assign(new Error(message), { code }), format));
  const plan = await planRun(prompt, agent, options, here).catch((error: Error) => error);
  if (plan instanceof Error) {
    complain('usage', plan.message);
    return EXIT.usage;
  }
  const cwd = here.cwd();
  const { output, endLine } = createOutput(options, here, cwd);
  const canAsk = here.stdin.isTTY === true && here.stderr.isTTY === true;
  const user = canAsk ? createAskUser(here.stdin, here.stderr, endLine) : undefined;
  const onDecision = (decision: PermissionRecord) => {
    if (format !== 'text') log(JSON.stringify({ permission: decision }));
    // What a user has typed is there to see.
    else if (decision.source !== 'person') {
      endLine();
      log(lineOf(decision));
    }
  };
  const permissions = createPermissions({ rules: plan.rules, user, cwd, home: options.home, followLinks, onDecision });
  const program = {
    ...plan,
    cwd,
    env: here.env,
    signals: here,
    variables: options.variables,
    onMessage: async (message: Parameters<typeof output.message>[0]) => {
      output.message(message);
      if (here.stdout.writableNeedDrain) await once(here.stdout, 'drain');
    },
    onStderr: (piece: string) => void here.stderr.write(piece),
    onWarning: (text: string) => complain('malformed', text),
    onMalformed: ({ lineNo, reason }: { readonly lineNo: number; readonly reason: string }) =>
      complain('malformed', `line ${lineNo} left out: ${reason}`),
  };
  const [command = '', ...args] = agent;
  const end: Omit<RunEnd, 'refused'> =
    plan.foreign === undefined
      ? await runAgent({ ...program, command, args, until: options.until, canUseTool: permissions.canUseTool })
      : await runAdapter({ ...program, ...plan.foreign });
  user?.close();
  output.end();
  const recorded = plan.recorder?.end();
  if (recorded !== undefined) log(recorded);
  if (end.stopped === 'timeout') complain('timeout', `stopped after ${options.timeout}`);
  else if (end.stopped === 'idle') complain('timeout', `stopped after ${options.idleTimeout} of silence`);
  else if (end.error !== undefined) log(failureText(end.error, format));
  return exitCodeOf({
    ...end,
    refused: permissions.isUnasked || (options.failOnDeny === true && permissions.isDenied),
  });
}

/** What shows the messages of a run; `endLine` ends a line of text that is not finished. */
function createOutput({ format, color }: RunOptions, { env, stdout }: RunProcess, cwd: string) {
  if (format === 'text') {
    const output = createTextView({ output: stdout, paint: createPaint(color, env, stdout), cwd });
    return { output, endLine: () => output.endLine() };
  }
  const output = format === 'ndjson' ? createNdjsonOutput(stdout) : createResultOutput(stdout, format);
  return { output, endLine: () => {} };
}

function lineOf({ call, behavior, by }: PermissionRecord): string {
  return `? ${call} ${behavior === 'allow' ? 'allowed' : 'denied'}: ${plain(by)}`;
}
