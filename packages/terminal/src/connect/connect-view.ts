import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createSession, type RequestHandler } from '@proto/core';
import type { HostSessionOptions } from '@proto/host';
import { type Transport, TransportError } from '@proto/core/transport';
import type { RunOutput } from '../view/outputs.ts';
import type { OwnTurns } from '@proto/remote';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;

/** What a session is shown on, and who answers what its agent asks. */
export interface ConnectViewOptions {
  readonly session: Transport;
  readonly output: RunOutput;
  readonly stdout: Writable;
  readonly turns: OwnTurns;
  /** Absent where nobody sits there: others may answer. */
  readonly canUseTool: CanUseTool | undefined;
  readonly onUndelivered: (error: TransportError) => void;
}

/** A session as people see it. */
export interface ConnectView {
  prompt(text: string): void;
  /** Ends the turn of the agent. */
  interrupt(): void;
  /** Shows what comes, to its end. */
  run(): Promise<void>;
}

/** Shows a session, and says for its user what is typed. */
export function createConnectView(options: ConnectViewOptions): ConnectView {
  const { output, stdout, turns, canUseTool, onUndelivered } = options;
  const permit: RequestHandler = async (request, context) => {
    const asking = request as unknown as Parameters<CanUseTool>[0];
    const result = await canUseTool?.(asking, context);
    return { updatedInput: asking.input, ...result, toolUseID: asking.tool_use_id };
  };
  const session = createSession(options.session, {
    handlers: { can_use_tool: permit },
    // What nobody can answer here is for another client of the session, and no refusal of ours comes ahead of its answer.
    isNew: ({ request }) => canUseTool !== undefined && request.subtype === 'can_use_tool',
    onEnd: (reason) => TransportError.is(reason) && reason.code === 'rejected' && onUndelivered(reason),
  });
  return {
    prompt(content) {
      const prompt = {
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: '',
        uuid: crypto.randomUUID(),
      };
      turns.said(prompt);
      // What becomes of it is told at the end of the session.
      session.emit(prompt).catch(() => {});
    },
    interrupt: () => void session.request({ subtype: 'interrupt' }).catch(() => {}),
    async run() {
      try {
        for await (const item of session) {
          if (item.kind === 'message') output.message(item.message);
          if (stdout.writableNeedDrain) await once(stdout, 'drain');
        }
      } catch {
        // `closed` of the transport tells it.
      }
      await session.close();
      output.end();
    },
  };
}
