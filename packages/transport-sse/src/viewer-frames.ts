import type { Incoming } from '@proto/core/transport';
import type { CutEnvelope } from './cut-payload.ts';
import { type Envelope, itemOf, SessionFrames } from './session-frames.ts';

// The server says each durable message to its sender as well. One that was not heard of by then will not be.
const MAX_EXPECTED_ECHOES = 10_000;

/** What frames mean to a viewer. */
export class ViewerFrames extends SessionFrames {
  #echoes = new Set<string>();

  /** This side sends a message under that id. */
  expectEcho(id: string): void {
    this.#echoes.add(id);
    // Many at once: each time the oldest is removed, those removed before are passed by.
    if (this.#echoes.size > MAX_EXPECTED_ECHOES)
      this.#echoes = new Set([...this.#echoes].slice(MAX_EXPECTED_ECHOES / 2));
  }

  /**
   * What other clients ask of the worker and answer to it is between them: here it would count as asked of this side, or as the
   * worker's answer.
   */
  protected accepts({ event_id: id, source, event_type: type }: Envelope): boolean {
    if (typeof id === 'string' && this.#echoes.delete(id)) return false;
    return source === 'worker' || typeof type !== 'string' || !type.startsWith('control_');
  }

  protected ephemeral(cut: CutEnvelope | undefined, data: string): Incoming {
    return itemOf(cut, data);
  }
}
