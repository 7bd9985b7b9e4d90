import { Agent } from 'node:http';
import { type Answer, type RequestOptions, sendRequest } from '../server/send-request.ts';

const AT_ONCE = 16;

/** Repeats an action so many times, a few at once, until the signal aborts. */
export async function repeat(times: number, signal: AbortSignal, once: (index: number) => Promise<unknown>) {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < times && !signal.aborted; index = next++) await once(index);
  };
  await Promise.all(Array.from({ length: Math.min(times, AT_ONCE) }, work));
}

/** Sends requests over few connections, which stay open in between. */
export function requester(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  return {
    request: (path: string, options: RequestOptions = {}): Promise<Answer> =>
      sendRequest(`${url}${path}`, { agent, ...options }),
    close: () => agent.destroy(),
  };
}
