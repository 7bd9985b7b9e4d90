import { settledRequestOf } from '@proto/core/network';
import type { Incoming } from '@proto/core/transport';
import { answeredRequest, isControlType, typeOf } from './control-lines.ts';
import type { CutEnvelope } from './cut-payload.ts';
import { ExpectedIds } from './expected-ids.ts';
import { type Envelope, itemOf, type LoggedEvent, noticeOf, SessionFrames } from './session-frames.ts';

export class ViewerFrames extends SessionFrames {
  /** The server sends each durable message back to its sender. */
  readonly #echoes = new ExpectedIds();
  /** The worker's request that a client answered last, according to the log. */
  #resolved: unknown;

  expectEcho(id: string): void {
    this.#echoes.add(id);
  }

  /**
   * Leaves out the control requests and responses of other clients, which a session would treat as requests to this side or as answers from the
   * worker. An answer from another client becomes a notice that the request is resolved.
   */
  protected logged({ cut, envelope, data, cursor }: LoggedEvent): Incoming | undefined {
    const { event_id: id, source, sender: by } = envelope;
    const isOwn = typeof id === 'string' && this.#echoes.take(id);
    const type = source === 'worker' ? undefined : typeSaid(envelope, cut.payload);
    const answered = answeredRequest(type, cut.payload);
    if (answered !== undefined) {
      const { request_id } = answered;
      this.#resolved = request_id;
      return isOwn ? undefined : noticeOf('control_resolved', { request_id, by, outcome: 'answered' }, cursor);
    }
    return isOwn || isControlType(type) ? undefined : itemOf(cut, data, cursor);
  }

  /** Leaves out a `control_resolved` that repeats an answer from the log. */
  protected override notice(event: string, data: unknown): Incoming | undefined {
    const settled = settledRequestOf(event, data);
    if (settled?.isAnswered === true && settled.requestId === this.#resolved) {
      this.#resolved = undefined;
      return undefined;
    }
    return super.notice(event, data);
  }

  protected ephemeral(cut: CutEnvelope | undefined, data: string): Incoming {
    return itemOf(cut, data);
  }
}

/** Returns the type of a message. The type is read from the envelope, or from the payload if the envelope names a source but no type. */
function typeSaid({ event_type: type, source }: Envelope, payload: string): string | undefined {
  if (type === undefined) return source === undefined ? undefined : typeOf(payload);
  return typeof type === 'string' ? type : undefined;
}
