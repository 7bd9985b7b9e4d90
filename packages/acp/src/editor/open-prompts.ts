import type { StopReason } from '@agentclientprotocol/sdk';
import type { Members } from '../members.ts';
import { internalError } from './request-errors.ts';

interface OpenPrompt {
  readonly resolve: (reason: StopReason) => void;
  readonly reject: (error: unknown) => void;
}

/** The prompts of an editor that have no answer yet, in the order in which they were sent. */
export class OpenPrompts {
  readonly #open = new Map<string, OpenPrompt>();

  open(): { readonly uuid: string; readonly ended: Promise<StopReason> } {
    const uuid = crypto.randomUUID();
    const ended = new Promise<StopReason>((resolve, reject) => this.#open.set(uuid, { resolve, reject }));
    return { uuid, ended };
  }

  /** Ends the prompts that a result answers. A result that names no prompts answers the oldest prompt. `reasonOf` throws if the turn has failed. */
  onResult(result: Members, reasonOf: () => StopReason): void {
    const named = result['user_message_uuids'];
    const [oldest] = this.#open.keys();
    const uuids = Array.isArray(named) ? named.map(String) : oldest === undefined ? [] : [oldest];
    for (const uuid of uuids) {
      const prompt = this.#take(uuid);
      try {
        prompt?.resolve(reasonOf());
      } catch (error) {
        prompt?.reject(error);
      }
    }
  }

  /** Ends a prompt that was removed from the queue, which has no result. */
  onMessage({ type, state, command_uuid: uuid }: Members): void {
    if (type === 'command_lifecycle' && state === 'cancelled') this.#take(String(uuid))?.resolve('cancelled');
  }

  /** Rejects a prompt with `-32603`, for example because it could not be sent. */
  fail(uuid: string, error: unknown): void {
    this.#take(uuid)?.reject(internalError(error));
  }

  /** Rejects all prompts with `-32603`. */
  failAll(error: unknown): void {
    for (const uuid of this.#open.keys()) this.fail(uuid, error);
  }

  #take(uuid: string): OpenPrompt | undefined {
    const prompt = this.#open.get(uuid);
    this.#open.delete(uuid);
    return prompt;
  }
}
