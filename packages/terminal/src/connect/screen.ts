import { createPermissionRules } from '@proto/permissions';
import { createResultOutput } from '../view/outputs.ts';
import { createPaint } from '../view/paint.ts';
import { createPermissions } from '../ask/permissions.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { createTextView } from '../view/text-view.ts';
import type { ConnectOptions } from './connect-plan.ts';
import { type ConnectView, type ConnectViewOptions, createConnectView } from './connect-view.ts';
import { createKeyboard } from '../ask/keyboard.ts';

/** Where a session is shown, and to whom. */
export interface ScreenOptions extends Pick<ConnectViewOptions, 'session' | 'turns' | 'onUndelivered'> {
  readonly here: RunProcess;
  readonly options: Pick<ConnectOptions, 'format' | 'color'>;
}

/** The terminal, or what stands for it: shows a session, takes prompts, and asks its user where one sits there. */
export function createScreen({ here, options, session, turns, onUndelivered }: ScreenOptions): ConnectView {
  const { stdin, stdout, stderr, env } = here;
  const cwd = here.cwd();
  const text =
    options.format === 'text'
      ? createTextView({ output: stdout, paint: createPaint(options.color, env, stdout), cwd })
      : undefined;
  const user = createKeyboard({
    stdin,
    stderr,
    onAsk: () => text?.endLine(),
    onPrompt: (prompt) => view.prompt(prompt),
    onEnd: () => turns.ended(),
  });
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  const { canUseTool } = createPermissions({
    rules: createPermissionRules({ default: 'ask' }),
    user,
    cwd,
    onDecision() {},
  });
  const view = createConnectView({
    session,
    turns,
    onUndelivered,
    output: text ?? createResultOutput(stdout, 'json'),
    stdout,
    canUseTool: canAsk ? canUseTool : undefined,
  });
  return {
    ...view,
    async run() {
      await view.run();
      user.close();
    },
  };
}
