import type { WireMessage } from '@proto/core/framing';
import type { WorkerLink } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import type { PermissionPrompt } from '../permissions/ask-host.ts';
import type { PromptState } from '../prompts/prompt.ts';

/** What an agent is doing, as hosts are told. */
export type AgentState = Parameters<WorkerLink['reportState']>[0];

/** What of the input of a tool says best what it is about to do. */
const DESCRIPTIONS = ['description', 'command', 'file_path', 'path', 'url', 'message'];

/** Whose duties they are. */
export interface WorkerDutiesOptions {
  readonly emit: (message: WireMessage) => void;
  readonly sessionId: string;
}

/** What an agent tells those who follow its session from afar, by the worker link of its transport. */
export class WorkerDuties {
  readonly #link: WorkerLink;
  readonly #options: WorkerDutiesOptions;
  #hasLost = false;

  constructor(link: WorkerLink, options: WorkerDutiesOptions) {
    this.#link = link;
    this.#options = options;
  }

  /** What the agent does now, and what it waits for. */
  reportState(state: AgentState, prompt?: PermissionPrompt): void {
    const action = prompt && actionOf(prompt);
    this.#link.reportState(state, action);
    this.#link.reportMetadata({ pending_action: prompt ? { ...action, input: prompt.input } : null });
  }

  /** How far a prompt has come. One that was cancelled is done with, or the next worker would run it. */
  reportPrompt(uuid: string, state: PromptState): void {
    if (state !== 'queued') this.#link.reportDelivery(uuid, state === 'started' ? 'processing' : 'processed');
  }

  /** A message that is no prompt has done its work. */
  reportServed(message: object): void {
    const { uuid } = message as { readonly uuid?: unknown };
    if (typeof uuid === 'string') this.#link.reportDelivery(uuid, 'processed');
  }

  /** Settings that hold from now on, also for the next worker. */
  reportSettings(settings: { readonly model?: string; readonly permission_mode?: string }): void {
    this.#link.reportMetadata(settings);
  }

  /** Fulfils when the transcript is kept, or never will be. */
  async flush(): Promise<void> {
    try {
      await this.#link.internalEvents.flush();
    } catch (error) {
      const { code, status } = TransportError.from(error);
      // When the link is gone the session tells that.
      if (code === 'rejected') this.#tellLoss(status);
    }
  }

  /** Once: what was lost first is what the conversation lacks. */
  #tellLoss(status: number | undefined): void {
    if (this.#hasLost) return;
    this.#hasLost = true;
    const { emit, sessionId } = this.#options;
    const members = { error_code: `HTTP_${status}`, lost: ['transcript'], transcript_session_ids: [sessionId] };
    emit({ type: 'system', subtype: 'session_writes_lost', ...members });
  }
}

/** What comes whole later, or shows what goes on at this moment. */
export function isEphemeral({ type, subtype }: WireMessage): boolean {
  return type === 'stream_event' || (type === 'system' && subtype === 'thinking_tokens');
}

/** A question as it is shown to those who could answer it, by the names on the wire. */
function actionOf({ tool, input, requestId, toolUseID }: PermissionPrompt): object {
  const texts = DESCRIPTIONS.map((name) => input[name]).filter((value) => typeof value === 'string');
  const { command } = input;
  return {
    tool_name: tool,
    action_description: texts[0] ?? tool,
    ...(typeof command === 'string' && { raw_command: command }),
    request_id: requestId,
    tool_use_id: toolUseID,
  };
}
