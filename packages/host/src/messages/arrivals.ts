import type { SessionItem, Settlement } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { type IncomingNotice, isRecord } from '@proto/core/internal';
import { InvalidMessageError } from '../errors.ts';
import type { Handshake } from '../handshake/handshake.ts';
import type { HostSessionOptions } from '../host-options.ts';
import type { HostWire } from '../host-wire.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { HostInput } from '../prompts/host-input.ts';
import type { PromptDeliveries } from '../prompts/prompt-delivery.ts';
import type { FollowedSession } from '../state/session-follower.ts';
import { isOnlyForHost, isTranscriptMirror } from './message-reader.ts';

export interface ArrivalsParts {
  readonly options: HostSessionOptions;
  readonly follower: FollowedSession;
  readonly permissions: Permissions;
  readonly handshake: Handshake;
  readonly deliveries: PromptDeliveries;
  readonly input: HostInput;
}

/** Passes on each item from the agent as soon as it arrives, first to the features of the session, then to the program's callbacks. */
export class Arrivals {
  readonly #wire: HostWire;
  readonly #parts: ArrivalsParts;

  constructor(wire: HostWire, parts: ArrivalsParts) {
    this.#wire = wire;
    this.#parts = parts;
  }

  accept(item: SessionItem, line?: string): void {
    const { options, input, permissions } = this.#parts;
    if (item.kind === 'message') this.#acceptMessage(item.message);
    else if (item.kind === 'malformed') this.#wire.counters.malformed++;
    else if (item.kind === 'notice') this.#acceptNotice(item);
    input.check();
    if (item.kind === 'link') {
      permissions.linkChanged(item.state);
      options.onLink?.(item);
    } else if (item.kind === 'malformed') {
      options.onMalformed?.(item, new InvalidMessageError(item, line));
    } else if (item.kind === 'message' && isTranscriptMirror(item.message)) {
      options.onTranscriptMirror?.(item.message);
    }
  }

  /** The answer to `initialize` may list requests whose answers the agent still awaits. */
  acceptResponse({ response }: WireMessage, settlement: Settlement): void {
    if (settlement !== 'settled') this.#wire.counters.unawaitedAnswers++;
    if (!isRecord(response)) return;
    for (const request of this.#parts.handshake.openRequests(response)) {
      if (!this.#wire.isServing(request.request_id)) this.#wire.session.serve(request);
    }
  }

  #acceptMessage(message: WireMessage): void {
    const { follower, deliveries } = this.#parts;
    if (!isOnlyForHost(message)) this.#wire.counters.messages++;
    this.#wire.lastMessageAt = performance.now();
    this.#wire.capabilities.onMessage(message);
    const { last } = follower.track({ message });
    deliveries.onMessage(message, follower.ended, last?.outcome === 'interrupted');
  }

  #acceptNotice({ event, data }: IncomingNotice): void {
    const { follower, deliveries } = this.#parts;
    const { event_id: uuid, status } = isRecord(data) ? data : {};
    if (typeof uuid !== 'string') return;
    if (event === 'delivery_update') deliveries.reported(uuid, String(status));
    if (event !== 'message_refused') return;
    // A refused prompt has no result.
    follower.track({ unsent: uuid });
    deliveries.advance(uuid, 'cancelled');
  }
}
