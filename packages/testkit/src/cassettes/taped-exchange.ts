import type { RecordedExchange, Recording } from '@proto/recording';
import { LEFT } from './exchange-writer.ts';
import type { RequestKey } from './request-key.ts';

export interface TapedExchange {
  readonly request: RecordedExchange;
  readonly parts: readonly RecordedExchange[];
}

/** Returns the exchanges on a tape, in the order of the requests. */
export function exchangesOf({ entries }: Recording): readonly TapedExchange[] {
  const exchanges = new Map<number, { request: RecordedExchange; parts: RecordedExchange[] }>();
  for (const entry of entries) {
    if (!('api' in entry)) continue;
    if (entry.part === 'request') exchanges.set(entry.api, { request: entry, parts: [] });
    else exchanges.get(entry.api)?.parts.push(entry);
  }
  return [...exchanges.values()];
}

export function keyOf({ request }: TapedExchange): RequestKey {
  const { method = '', path = '', model, maxTokens, messages } = request;
  return {
    method,
    path,
    ...(model !== undefined && { model }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(messages !== undefined && { messages }),
  };
}

/**
 * Creates the response of an exchange. The response breaks off at the same point as the recorded response, or stays open if the recorded agent
 * disconnected.
 */
export function responseOf({ parts }: TapedExchange, signal: AbortSignal): Promise<Response> | Response {
  const answer = parts.find(({ part }) => part === 'answer');
  const failed = parts.find(({ part }) => part === 'end')?.failed;
  if (answer === undefined) return failed === LEFT ? left(signal) : Promise.reject(brokeOff(failed));
  const { status = 200, headers = {} } = answer;
  const isEmpty = [101, 204, 205, 304].includes(status);
  const text = parts.map(textOf).join('');
  if (failed === undefined) return new Response(isEmpty ? null : text, { status, headers });
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (failed === LEFT) await left(signal).catch(() => {});
      controller.error(brokeOff(failed));
    },
  });
  return new Response(body, { status, headers });
}

/** Rejects when the agent disconnects. */
function left(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(brokeOff(LEFT));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

// The connection of the recorded agent broke, so the connection of this agent must break too.
function brokeOff(why = 'the recording does not contain the end of the answer'): Error {
  const reason = why === LEFT ? 'the recorded agent disconnected before the answer ended' : why;
  return new Error(`cassette: the answer is incomplete: ${reason}`);
}

function textOf({ part, event, data }: RecordedExchange): string {
  if (data === undefined) return '';
  if (part !== 'event') return data;
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
