import { createOutboundStream } from '@proto/core';
import type { Candidate } from './measure.ts';

// The same size as in the outbound stream.
const BLOCK_BYTES = 64 * 1024;

/** Encodes the values in turn, and keeps nothing. */
export function stringifyAll(values: readonly object[], items: number): Candidate {
  return () => {
    let count = 0;
    for (let index = 0; index < items; index++) {
      if (JSON.stringify(values[index % values.length]).length > 0) count++;
    }
    return count;
  };
}

/** Enqueues the values in turn, and reads the stream after the last one. */
export function outboundBurst(values: readonly object[], items: number): Candidate {
  const limits = { highWaterMarkBytes: Number.POSITIVE_INFINITY, maxOutboundBytes: Number.POSITIVE_INFINITY };
  return async () => {
    const stream = createOutboundStream(limits);
    for (let index = 0; index < items; index++) stream.enqueue(values[index % values.length] as object);
    stream.end();
    let count = 0;
    await stream.pipeTo({
      send(batch) {
        count += batch.count;
        return Promise.resolve();
      },
    });
    return count;
  };
}

/**
 * The cost of keeping the same amount of text for the same time without a queue: an array of blocks of bytes, which are decoded after the last value.
 */
export function plainBlocks(values: readonly object[], items: number): Candidate {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return () => {
    const blocks: { readonly bytes: Uint8Array; readonly ends: readonly number[] }[] = [];
    let texts: string[] = [];
    let ends: number[] = [];
    let length = 0;
    const close = (): void => {
      blocks.push({ bytes: encoder.encode(`${texts.join('\n')}\n`), ends });
      texts = [];
      ends = [];
      length = 0;
    };
    for (let index = 0; index < items; index++) {
      const text = JSON.stringify(values[index % values.length]);
      if (length + text.length >= BLOCK_BYTES) close();
      length += text.length + 1;
      texts.push(text);
      ends.push(length);
    }
    close();
    let count = 0;
    for (const { bytes, ends } of blocks) {
      if (decoder.decode(bytes).length === ends.at(-1)) count += ends.length;
    }
    return count;
  };
}
