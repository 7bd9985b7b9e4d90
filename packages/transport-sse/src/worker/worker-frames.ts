import type { Cursor, Incoming } from '@proto/core/transport';
import type { CutEnvelope } from '../cut-payload.ts';
import { itemOf, jsonOf, type LoggedEvent, membersOf, noticeOf, SessionFrames } from '../session-frames.ts';

export interface WorkerFramesOptions {
  readonly cursor: Cursor | undefined;
  readonly onReceived: (eventId: string) => void;
  readonly onProbe: () => void;
}

/** Each message from a client is marked as received. */
export class WorkerFrames extends SessionFrames {
  readonly #options: WorkerFramesOptions;

  constructor(options: WorkerFramesOptions) {
    super(options.cursor);
    this.#options = options;
  }

  /** Leaves out messages from workers. Otherwise this worker's session would answer its own requests. */
  protected logged({ cut, envelope: { event_id: id, source }, data, cursor }: LoggedEvent): Incoming | undefined {
    if (source === 'worker') return undefined;
    if (typeof id === 'string') this.#options.onReceived(id);
    return itemOf(cut, data, cursor);
  }

  protected ephemeral(_cut: CutEnvelope | undefined, data: string): Incoming | undefined {
    const event = jsonOf(data);
    if (membersOf(event)['event_type'] === 'heartbeat_probe') this.#options.onProbe();
    else return noticeOf('ephemeral_event', event);
    return undefined;
  }
}
