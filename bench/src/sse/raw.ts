import { Agent, request } from 'undici';
import { REQUEST_FRAME } from '../rpc/permission.ts';
import { answerViewers, postOf } from './answer-viewers.ts';
import type { SsePeer } from './sse-peer.ts';

const BODY = postOf(REQUEST_FRAME);
const LINE_END = 10;
const LINES_OF_AN_EVENT = 4;

/** The limit: the same bytes, with a POST for each request. Events are only counted, by their lines. */
export const peer: SsePeer = {
  serve: answerViewers,
  async connect(url) {
    const dispatcher = new Agent();
    const waiting: (() => void)[] = [];
    let head = 0;
    let lines = 0;
    const { body: events } = await request(`${url}/events/stream`, { dispatcher });
    // Skip the greeting.
    await new Promise((resolve) => events.once('data', resolve));
    events.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) {
        if (++lines % LINES_OF_AN_EVENT === 0) waiting[head++]?.();
      }
      if (head === waiting.length) waiting.length = head = 0;
    });
    // Closing a stream before its end causes an error.
    events.on('error', () => {});
    const headers = { 'content-type': 'application/json' };
    return {
      async call() {
        const answered = new Promise<void>((resolve) => waiting.push(resolve));
        const { body } = await request(`${url}/events`, { dispatcher, method: 'POST', headers, body: BODY });
        await Promise.all([answered, body.dump()]);
      },
      close: () => dispatcher.destroy(),
    };
  },
};
