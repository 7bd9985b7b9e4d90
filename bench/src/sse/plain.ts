import { EventSource } from 'eventsource';
import { REQUEST_FRAME, type answerFrame, checkAnswer } from '../rpc/permission.ts';
import { answerViewers, postOf } from './answer-viewers.ts';
import type { SsePeer } from './sse-peer.ts';

/** The code that most programs write first: `fetch` for each message, and `eventsource`. */
export const peer: SsePeer = {
  serve: answerViewers,
  async connect(url) {
    const events = new EventSource(`${url}/events/stream`);
    const waiting = new Map<string, (answer: unknown) => void>();
    let last = 0;
    events.addEventListener('client_event', ({ data }) => {
      const { payload } = JSON.parse(data as string) as { payload: ReturnType<typeof answerFrame> };
      const { request_id: id, response } = payload.response;
      waiting.get(id)?.(response);
      waiting.delete(id);
    });
    await new Promise((resolve) => events.addEventListener('open', resolve, { once: true }));
    return {
      async call() {
        const id = String(++last);
        const answer = new Promise((resolve) => waiting.set(id, resolve));
        const body = postOf({ ...REQUEST_FRAME, request_id: id });
        const posted = fetch(`${url}/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }).then((response) => response.text());
        checkAnswer((await Promise.all([answer, posted]))[0]);
      },
      close: () => events.close(),
    };
  },
};
