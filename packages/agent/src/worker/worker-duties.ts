import type { WireMessage } from '@proto/core/framing';
import type { WorkerLink } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import type { PermissionPrompt } from '../permissions/ask-host.ts';
import type { PromptState } from '../prompts/prompt.ts';

export type AgentState = Parameters<WorkerLink['reportState']>[0];

/** The members of a tool input that may describe a call, in order of preference. */
const DESCRIPTIONS = ['description', 'command', 'file_path', 'path', 'url', 'message'];

export interface WorkerDutiesOptions {
  readonly emit: (message: WireMessage) => void;
  readonly sessionId: string;
}

export class WorkerDuties {
  readonly #link: WorkerLink;
  readonly #options: WorkerDutiesOptions;
  #hasLost = false;

  constructor(link: WorkerLink, options: WorkerDutiesOptions) {
    this.#link = link;
    this.#options = options;
  }

  reportState(state: AgentState, prompt?: PermissionPrompt): void {
    const action = prompt && actionOf(prompt);
    this.#link.reportState(state, action);
    this.#link.reportMetadata({ pending_action: prompt ? { ...action, input: prompt.input } : null });
  }

  /** Reports the state of a prompt. A cancelled prompt is reported as processed, because otherwise the next worker would run it. */
  reportPrompt(uuid: string, state: PromptState): void {
    if (state !== 'queued') this.#link.reportDelivery(uuid, state === 'started' ? 'processing' : 'processed');
  }

  reportServed(message: object): void {
    const { uuid } = message as { readonly uuid?: unknown };
    if (typeof uuid === 'string') this.#link.reportDelivery(uuid, 'processed');
  }

  /** The settings also apply to the next worker. */
  reportSettings(settings: { readonly model?: string; readonly permission_mode?: string }): void {
    this.#link.reportMetadata(settings);
  }

  /** Fulfils when the server has stored the transcript, or can no longer store it. */
  async flush(): Promise<void> {
    try {
      await this.#link.internalEvents.flush();
    } catch (error) {
      // The session reports a lost link.
      if (TransportError.is(error) && error.code === 'rejected') this.#reportLoss(error.status);
    }
  }

  /** Further losses are not reported, because the stored conversation ends at the first loss. */
  #reportLoss(status: number | undefined): void {
    if (this.#hasLost) return;
    this.#hasLost = true;
    const { emit, sessionId } = this.#options;
    const members = { error_code: `HTTP_${status}`, lost: ['transcript'], transcript_session_ids: [sessionId] };
    emit({ type: 'system', subtype: 'session_writes_lost', ...members });
  }
}

/** Whether a message may be lost without harm, because its content is sent whole later or describes only the present moment. */
export function isEphemeral({ type, subtype }: WireMessage): boolean {
  return type === 'stream_event' || (type === 'system' && subtype === 'thinking_tokens');
}

/** Describes a question for the people who could answer it. The members have their wire names. */
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
