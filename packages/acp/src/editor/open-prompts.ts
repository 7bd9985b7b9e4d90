import type { StopReason } from '@agentclientprotocol/sdk';
import type { Members } from '../members.ts';
import { internalError } from './request-errors.ts';
import { stopReasonOf } from './stop-reason.ts';

/** The prompts of an editor that have no answer yet, in the order in which they were sent. */
export class OpenPrompts {
  /** The functions that answer the prompts. A promise that rejects is an error. */
  readonly #open = new Map<string, (reason: StopReason | Promise<StopReason>) => void>();

  open(): { readonly uuid: string; readonly ended: Promise<StopReason> } {
    const uuid = crypto.randomUUID();
    const ended = new Promise<StopReason>((resolve) => this.#open.set(uuid, resolve));
    return { uuid, ended };
  }

  /** Ends the prompts that a result answers. */
  onResult(result: Members): void {
    for (const uuid of this.#answeredBy(result)) this.#take(uuid)?.(Promise.resolve(result).then(stopReasonOf));
  }

  /** Rejects a prompt with `-32603`, for example because it could not be sent. */
  fail(uuid: string, error: unknown): void {
    this.#take(uuid)?.(Promise.reject(internalError(error)));
  }

  cancel(uuid: string): void {
    this.#take(uuid)?.('cancelled');
  }

  cancelAll(): void {
    for (const uuid of this.#open.keys()) this.cancel(uuid);
  }

  /** Rejects all prompts with `-32603`. */
  failAll(error: unknown): void {
    for (const uuid of this.#open.keys()) this.fail(uuid, error);
  }

  /** A result that names no prompts answers the oldest prompt. */
  #answeredBy({ user_message_uuids: named }: Members): readonly string[] {
    return Array.isArray(named) ? named.map(String) : [...this.#open.keys()].slice(0, 1);
  }

  #take(uuid: string) {
    const end = this.#open.get(uuid);
    this.#open.delete(uuid);
    return end;
  }
}
