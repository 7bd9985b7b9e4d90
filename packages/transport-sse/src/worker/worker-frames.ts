import type { Cursor, Incoming } from '@proto/core/transport';
import type { CutEnvelope } from '../cut-payload.ts';
import { type Envelope, jsonOf, membersOf, type Notice, SessionFrames } from '../session-frames.ts';

/** What a worker does about frames beside reading them. */
export interface WorkerFramesOptions {
  readonly cursor: Cursor | undefined;
  readonly onNotice: Notice;
  /** An event of the log has arrived. */
  readonly onReceived: (eventId: string) => void;
  /** The server wants to know whether this side lives. */
  readonly onProbe: () => void;
}

/** What frames mean to the worker: what viewers sent is for it, and each event is acknowledged. */
export class WorkerFrames extends SessionFrames {
  readonly #options: WorkerFramesOptions;

  constructor(options: WorkerFramesOptions) {
    super(options.cursor, options.onNotice);
    this.#options = options;
  }

  /** Not what a worker has said: its requests would be asked of itself. */
  protected accepts({ event_id: id, source }: Envelope): boolean {
    if (source === 'worker') return false;
    if (typeof id === 'string') this.#options.onReceived(id);
    return true;
  }

  protected ephemeral(_cut: CutEnvelope | undefined, data: string): Incoming | undefined {
    const event = jsonOf(data);
    if (membersOf(event)['event_type'] === 'heartbeat_probe') this.#options.onProbe();
    else this.tell('ephemeral_event', event);
    return undefined;
  }
}
