import type { WriteCondition } from '@proto/ingress/event-log';
import type { Work } from './pending-write.ts';
import { type LaneContext, WriteLane } from './write-lane.ts';

/**
 * How many statements of one node may be in progress. All writes to a stream use the same lane, which keeps their order. With more lanes, a statement
 * contains fewer events, but each statement costs server time: with four lanes and three nodes, the CPU time per event was twice as high.
 */
const LANES = 2;

export class Writes {
  readonly #lanes: readonly WriteLane[];

  constructor(context: LaneContext) {
    this.#lanes = Array.from({ length: LANES }, () => new WriteLane(context));
  }

  /** Settles when the write is committed. */
  write(stream: string, work: Work, options: { condition?: WriteCondition; growth: number }): Promise<unknown> {
    const { condition = {}, growth } = options;
    return new Promise((resolve, reject) => {
      this.#laneOf(stream).add({ stream, work, condition, growth, resolve, reject });
    });
  }

  /** Fulfils when every write has settled. */
  async settled(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  #laneOf(stream: string): WriteLane {
    let hash = 0;
    for (let at = 0; at < stream.length; at++) hash = (31 * hash + stream.charCodeAt(at)) | 0;
    return this.#lanes[(hash >>> 0) % LANES] as WriteLane;
  }
}
