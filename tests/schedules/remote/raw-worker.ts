import type { WireMessage } from '@proto/core/framing';
import { PostingWorker, type WorkerEntry } from './posting-worker.ts';
import type { RawAnswer } from './raw-client.ts';

/** A handwritten worker that reads an event stream. */
export class RawWorker extends PostingWorker {
  done(): void {
    const updates = this.reading.received.map(({ uuid }) => ({ event_id: uuid, status: 'processed' }));
    if (this.epoch === 0 || updates.length === 0) return;
    // The server ignores the reports of a superseded worker.
    if (!this.isOut) for (const { event_id } of updates) this.record.processed.add(event_id);
    void this.client.insist('/worker/events/delivery', { worker_epoch: this.epoch, updates }).then((answer) => {
      if (answer?.status !== 200) return;
      for (const { event_id } of updates) this.record.processedForSure.add(event_id);
    });
  }

  protected post(entries: readonly WorkerEntry[]): Promise<RawAnswer | undefined> {
    const events = entries.map(({ payload, ephemeral }) => ({ payload, ephemeral }));
    return this.client.insist('/worker/events', { worker_epoch: this.epoch, events });
  }

  protected follow(): Promise<void> {
    return this.client.follow('/worker/events/stream', 0, ({ event, data }) => {
      if (event !== 'client_event') return;
      const { sequence_num: sequence, payload } = data as { sequence_num: number; payload: WireMessage };
      this.onEvent(sequence, payload);
    });
  }
}
