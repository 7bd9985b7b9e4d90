import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createSession, type RequestHandler } from '@proto/core';
import { type Transport, TransportError } from '@proto/core/transport';
import type { HostSessionOptions } from '@proto/host';
import { createPermissionRules } from '@proto/permissions';
import type { OwnTurns } from '@proto/remote';
import { createKeyboard } from '../ask/ask-user.ts';
import { createPermissions } from '../ask/permissions.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { createResultOutput, type RunOutput } from '../view/outputs.ts';
import { createPaint } from '../view/terminal-text.ts';
import { createTextView } from '../view/text-view.ts';
import type { ConnectOptions } from './connect-plan.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;

/** Which session to show, and the streams and options for showing it. */
export interface ScreenOptions {
  readonly session: Transport;
  readonly turns: OwnTurns;
  readonly here: RunProcess;
  readonly options: Pick<ConnectOptions, 'format' | 'color'>;
  /** Called when the server refuses a message of the user. */
  readonly onUndelivered: (error: TransportError) => void;
}

/** A session on a terminal. */
export interface Screen {
  /** Interrupts the turn of the agent. */
  interrupt(): void;
  /** Shows the messages of the session. Fulfils at the end of the session. */
  run(): Promise<void>;
}

/** Shows a session, sends typed lines as prompts, and asks for permissions if a person is at the terminal. */
export function createScreen({ here, options, session, turns, onUndelivered }: ScreenOptions): Screen {
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
    onPrompt: (prompt) => talk.prompt(prompt),
    onEnd: () => turns.ended(),
  });
  const rules = createPermissionRules({ default: 'ask' });
  const { canUseTool } = createPermissions({ rules, user, cwd, onDecision() {} });
  // If no person is here, another client of the session may answer.
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  const talk = joinSession(session, { turns, canUseTool: canAsk ? canUseTool : undefined, onUndelivered });
  return {
    interrupt: () => talk.interrupt(),
    async run() {
      await talk.show(text ?? createResultOutput(stdout, 'json'), stdout);
      user.close();
    },
  };
}

interface TalkOptions extends Pick<ScreenOptions, 'turns' | 'onUndelivered'> {
  readonly canUseTool: CanUseTool | undefined;
}

function joinSession(transport: Transport, { turns, canUseTool, onUndelivered }: TalkOptions) {
  const permit: RequestHandler = async (request, context) => {
    const asking = request as unknown as Parameters<CanUseTool>[0];
    const result = await canUseTool?.(asking, context);
    return { updatedInput: asking.input, ...result, toolUseID: asking.tool_use_id };
  };
  const session = createSession(transport, {
    handlers: { can_use_tool: permit },
    // A request that cannot be answered here is left to another client. A refusal from here would arrive before that client's answer.
    shouldServe: ({ request }) => canUseTool !== undefined && request.subtype === 'can_use_tool',
    onEnd: (reason) => TransportError.is(reason) && reason.code === 'rejected' && onUndelivered(reason),
  });
  return {
    prompt(content: string): void {
      const prompt = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
      // A prompt that the server refuses is reported by `onEnd`.
      session.emit(turns.sent(prompt)).catch(() => {});
    },
    interrupt: () => void session.request({ subtype: 'interrupt' }).catch(() => {}),
    async show(output: RunOutput, stdout: Writable): Promise<void> {
      try {
        for await (const item of session) {
          if (item.kind === 'message') output.message(item.message);
          if (stdout.writableNeedDrain) await once(stdout, 'drain');
        }
      } catch {
        // `closed` of the transport also reports this error.
      }
      await session.close();
      output.end();
    },
  };
}
