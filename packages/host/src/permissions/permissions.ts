import { ControlError, type ControlRequest, type RequestContext } from '@proto/core';
import {
  checkDurations,
  checkPermissionRequest,
  checkPermissionResult,
  setTimer,
  type Timer,
} from '@proto/core/internal';
import type { PermissionResult, SDKControlPermissionRequest } from '@proto/core/messages';
import { assertValid } from '../errors.ts';
import type { HostWire } from '../host-wire.ts';
import type { Ask, OpenQuestions } from '../questions/open-questions.ts';

/**
 * What happens to open permission requests while the link is down. With `hold`, the requests stay open, and the answers are sent when the link is up
 * again. With `deny`, the requests are refused at once. With `timeoutMs`, the requests are refused if the link is still down after this number of
 * milliseconds.
 */
export type OnDisconnect = 'hold' | 'deny' | { readonly timeoutMs: number };

/** The callback that decides on tool calls, and what happens to open requests while the link is down. */
export interface PermissionOptions {
  /**
   * Decides whether the agent may make a tool call. Only a valid `allow` allows the call. `null` leaves the question open for `HostSession.respond`.
   * Default: every call is refused.
   */
  readonly canUseTool?: Ask<SDKControlPermissionRequest, PermissionResult>;
  /** What happens to open permission requests while the link of a reconnecting transport is down. Default `hold`. */
  readonly onDisconnect?: OnDisconnect;
}

// The text of the tool result if the host gave no reason.
const DENIED = 'The host refused this tool call.';
// The text must not read like a refusal by a person, because no person has refused the call, and the model may try again.
const DISCONNECTED: PermissionResult = {
  behavior: 'deny',
  message: 'The link to the host was lost before this tool call was answered.',
};

export class Permissions {
  readonly #options: PermissionOptions;
  readonly #questions: OpenQuestions;
  #timer: Timer | undefined;

  constructor(wire: HostWire, questions: OpenQuestions, options: PermissionOptions) {
    if (typeof options.onDisconnect === 'object') checkDurations(options.onDisconnect);
    this.#questions = questions;
    this.#options = options;
    wire.serve({ can_use_tool: (request, context) => this.#decide(request, context) });
  }

  /** While the link is down, the method may be called with `down` repeatedly. */
  linkChanged(state: 'down' | 'up'): void {
    const policy = this.#options.onDisconnect ?? 'hold';
    if (state === 'up') this.end();
    else if (policy === 'deny') this.#questions.giveUp();
    // The time counts from the first `down`: each failed attempt to connect reports `down` again.
    else if (policy !== 'hold') this.#timer ??= setTimer(() => this.#questions.giveUp(), policy.timeoutMs);
  }

  end(): void {
    this.#timer?.clear();
    this.#timer = undefined;
  }

  async #decide(request: ControlRequest, context: RequestContext): Promise<unknown> {
    const { canUseTool } = this.#options;
    if (canUseTool === undefined) throw new ControlError('canUseTool callback is not provided.');
    const asked = assertValid('can_use_tool', checkPermissionRequest(request));
    const { input, tool_use_id: toolUseID } = asked;
    const answer = await this.#questions.ask(
      asked,
      context,
      (...question) => canUseTool.apply(this.#options, question),
      DISCONNECTED,
    );
    const result = assertValid('answer to can_use_tool', checkPermissionResult(answer));
    // Agents older than 0.3.207 do not accept a permission that lacks the input.
    const rest = result.behavior === 'allow' ? { updatedInput: input } : { message: DENIED };
    return { ...rest, ...result, toolUseID };
  }
}
