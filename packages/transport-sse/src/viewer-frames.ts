import { answeredRequest, isControlType, typeOf } from '@proto/core/internal';
import type { Incoming } from '@proto/core/transport';
import type { CutEnvelope } from './cut-payload.ts';
import { type Envelope, itemOf, type LoggedEvent, membersOf, noticeOf, SessionFrames } from './session-frames.ts';

// The server says each durable message to its sender as well. One that was not heard of by then will not be.
const MAX_EXPECTED_ECHOES = 10_000;

/** What frames mean to a viewer. */
export class ViewerFrames extends SessionFrames {
  #echoes = new Set<string>();
  /** The request whose answer came last from the log. */
  #resolved: unknown;

  /** This side sends a message under that id. */
  expectEcho(id: string): void {
    this.#echoes.add(id);
    // Many at once: each time the oldest is removed, those removed before are passed by.
    if (this.#echoes.size > MAX_EXPECTED_ECHOES)
      this.#echoes = new Set([...this.#echoes].slice(MAX_EXPECTED_ECHOES / 2));
  }

  /**
   * What other clients ask of the worker and answer to it is between them: here it would count as asked of this side, or as the
   * worker's answer. That something is answered is news for whoever was asked as well.
   */
  protected logged({ cut, envelope, data, sequence }: LoggedEvent): Incoming | undefined {
    const { event_id: id, source, sender: by } = envelope;
    const isOwn = typeof id === 'string' && this.#echoes.delete(id);
    const type = source === 'worker' ? undefined : typeSaid(envelope, cut.payload);
    const answered = answeredRequest(type, cut.payload);
    if (answered !== undefined) {
      const { request_id } = answered;
      this.#resolved = request_id;
      return isOwn ? undefined : noticeOf('control_resolved', { request_id, by, outcome: 'answered' }, sequence);
    }
    return isOwn || isControlType(type) ? undefined : itemOf(cut, data, sequence);
  }

  /** The server says it once more, behind the answer, to whoever listens: it is no news then. */
  protected override notice(event: string, data: unknown): Incoming | undefined {
    const { request_id: id, outcome } = membersOf(data);
    if (event === 'control_resolved' && outcome === 'answered' && id === this.#resolved) {
      this.#resolved = undefined;
      return undefined;
    }
    return super.notice(event, data);
  }

  protected ephemeral(cut: CutEnvelope | undefined, data: string): Incoming {
    return itemOf(cut, data);
  }
}

/** The type of a message, which some servers say in the envelope. Who says nothing of where it comes from says that of none. */
function typeSaid({ event_type: type, source }: Envelope, payload: string): string | undefined {
  if (type === undefined) return source === undefined ? undefined : typeOf(payload);
  return typeof type === 'string' ? type : undefined;
}
