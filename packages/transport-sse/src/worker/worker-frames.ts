import type { Cursor, Incoming } from '@proto/core/transport';
import type { CutEnvelope } from '../cut-payload.ts';
import { itemOf, jsonOf, type LoggedEvent, membersOf, noticeOf, SessionFrames } from '../session-frames.ts';

/** The cursor and the callbacks for a worker's frames. */
export interface WorkerFramesOptions {
  readonly cursor: Cursor | undefined;
  /** Called when an event from the log has arrived. */
  readonly onReceived: (eventId: string) => void;
  /** Called when the server requests a heartbeat. */
  readonly onProbe: () => void;
}

/** Turns frames into items for the worker: messages from clients. Each message is marked as received. */
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
