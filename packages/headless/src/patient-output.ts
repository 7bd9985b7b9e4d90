import { Writable } from 'node:stream';
import type { OutputWatch } from './write.ts';

/**
 * Writes to a stream as long as somebody reads it, and into nothing afterwards: an agent whose host has gone finishes its turn,
 * as published agents do, and keeps what was said. Every other error is told.
 */
export function patientOutput(stream: Writable, watch: OutputWatch): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding, done) {
      if (watch.isUnread) return done();
      stream.write(chunk, encoding, (error) => {
        watch.breaks(error);
        done(watch.isUnread ? null : error);
      });
    },
    final(done) {
      if (watch.broken !== undefined || stream.destroyed) return done();
      // The end of a process's stdout that breaks meanwhile never calls back.
      let settle = () => {
        settle = () => {};
        done();
      };
      stream.once('error', () => settle()).end(() => settle());
    },
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
}
