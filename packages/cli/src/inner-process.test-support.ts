import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { FOLDER } from './bins.test-support.ts';

/** A replacement for the process of a command that runs inside this process: its streams, and its signals as events. */
export class InnerProcess extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly env = { PATH: process.env['PATH'] };

  cwd(): string {
    return FOLDER;
  }
}
