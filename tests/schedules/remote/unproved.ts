import { isRetaining, type Transport } from '@proto/core/transport';
import type { Said } from './session-record.ts';

/** What a transport has taken charge of, and may still have to send again. */
export class Unproved {
  #said: readonly Said[] = [];

  add(said: readonly Said[]): void {
    this.#said = [...this.#said, ...said];
  }

  /** Notes what the server has by now, as the transport knows; gives of how much that is not known. */
  prove(transport: Transport | undefined): number {
    const retained = transport !== undefined && isRetaining(transport) ? transport.retained.batches() : [];
    const messages = retained.flatMap((batch) => [...batch.messages()]);
    const kept = new Set(messages.map(({ text }) => (JSON.parse(text) as { uuid?: unknown }).uuid));
    for (const one of this.#said) if (!kept.has(one.uuid)) one.outcome = 'taken';
    this.#said = this.#said.filter(({ uuid }) => kept.has(uuid));
    return this.#said.length;
  }
}
