import type { Cursor, Incoming } from '@proto/core/transport';
import type { CutEnvelope } from '../cut-payload.ts';
import { itemOf, jsonOf, type LoggedEvent, membersOf, noticeOf, SessionFrames } from '../session-frames.ts';

/** What a worker does about frames beside reading them. */
export interface WorkerFramesOptions {
  readonly cursor: Cursor | undefined;
  /** An event of the log has arrived. */
  readonly onReceived: (eventId: string) => void;
  /** The server wants to know whether this side lives. */
  readonly onProbe: () => void;
}

/** What frames mean to the worker: what viewers sent is for it, and each event is acknowledged. */
export class WorkerFrames extends SessionFrames {
  readonly #options: WorkerFramesOptions;

  constructor(options: WorkerFramesOptions) {
    super(options.cursor);
    this.#options = options;
  }

  /** Not what a worker has said: its requests would be asked of itself. */
  protected logged({ cut, envelope: { event_id: id, source }, data, sequence }: LoggedEvent): Incoming | undefined {
    if (source === 'worker') return undefined;
    if (typeof id === 'string') this.#options.onReceived(id);
    return itemOf(cut, data, sequence);
  }

  protected ephemeral(_cut: CutEnvelope | undefined, data: string): Incoming | undefined {
    const event = jsonOf(data);
    if (membersOf(event)['event_type'] === 'heartbeat_probe') this.#options.onProbe();
    else return noticeOf('ephemeral_event', event);
    return undefined;
  }
}
