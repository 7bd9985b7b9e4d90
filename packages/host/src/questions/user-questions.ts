import { ControlError, type ControlRequest, type RequestContext } from '@proto/core';
import type {
  ElicitationResult,
  SDKControlElicitationRequest,
  SDKControlRequestUserDialogRequest,
  UserDialogResult,
} from '@proto/core/messages';
import type { HostWire } from '../host-wire.ts';
import type { Ask, OpenQuestions } from './open-questions.ts';

/** Callbacks for questions to the user, except permission requests. `null` leaves a question open for `HostSession.respond`. */
export interface UserQuestionOptions {
  /** Answers a question from an MCP server to the user. Default: the question is declined. */
  readonly onElicitation?: Ask<SDKControlElicitationRequest, ElicitationResult>;
  /**
   * Callbacks that show dialogs, by kind. If a callback throws, its dialog is cancelled. For other kinds of dialogs, the host answers that they are
   * not supported.
   */
  readonly dialogs?: Readonly<Record<string, Ask<SDKControlRequestUserDialogRequest, UserDialogResult>>>;
}

/** Serves dialogs, and questions from MCP servers to the user. */
export function installUserQuestions(wire: HostWire, questions: OpenQuestions, options: UserQuestionOptions): void {
  wire.serve({
    elicitation: (request, context) => {
      const { onElicitation } = options;
      if (onElicitation === undefined) return { action: 'decline' };
      return questions.ask(request as SDKControlElicitationRequest & ControlRequest, context, (...asked) =>
        onElicitation.apply(options, asked),
      );
    },
    request_user_dialog: (request, context) => showDialog(request, context, questions, options),
  });
}

async function showDialog(
  request: ControlRequest,
  context: RequestContext,
  questions: OpenQuestions,
  { dialogs = {} }: UserQuestionOptions,
): Promise<unknown> {
  const kind = String(request['dialog_kind']);
  const show = Object.hasOwn(dialogs, kind) ? dialogs[kind] : undefined;
  // The answer is not `cancelled`, because that would end a dialog that another host shows.
  if (show === undefined) throw new ControlError(`Unsupported dialog kind: ${kind}`, { code: 'unsupported_request' });
  return questions
    .ask(request as SDKControlRequestUserDialogRequest & ControlRequest, context, (...asked) =>
      show.apply(dialogs, asked),
    )
    .catch(() => ({ behavior: 'cancelled' }));
}
