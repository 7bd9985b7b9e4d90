import { isReplayable, type Transport } from '@proto/core/transport';
import type { Said } from './session-record.ts';

/** Messages that a transport has accepted and may have to send again. */
export class Unproved {
  #said: readonly Said[] = [];

  add(said: readonly Said[]): void {
    this.#said = [...this.#said, ...said];
  }

  /** Notes which messages the transport knows to be on the server. Returns the number of messages that may be missing there. */
  prove(transport: Transport | undefined): number {
    const retained = transport !== undefined && isReplayable(transport) ? transport.unacknowledged.batches() : [];
    const messages = retained.flatMap((batch) => [...batch.messages()]);
    const kept = new Set(messages.map(({ text }) => (JSON.parse(text) as { uuid?: unknown }).uuid));
    for (const one of this.#said) if (!kept.has(one.uuid)) one.outcome = 'taken';
    this.#said = this.#said.filter(({ uuid }) => kept.has(uuid));
    return this.#said.length;
  }
}
