import { createHmac } from 'node:crypto';
import { expect } from 'vitest';

/** The key of the secret, as a receiver has it. */
const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
export const SECRET = `whsec_${KEY.toString('base64')}`;
export const HOOK = 'https://hooks.example/in?team=1';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Answering = (received: Received) => Response | Promise<Response>;

/** A receiver of webhooks that checks each signature by the rules of Standard Webhooks. */
export class Receiver {
  /** What arrived, with repetitions. */
  readonly received: Received[] = [];
  answer: Answering;
  #wake = () => {};

  constructor(answer: Answering = () => new Response(null, { status: 204 })) {
    this.answer = answer;
  }

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    expect([url, init?.method, init?.redirect]).toEqual([HOOK, 'POST', 'manual']);
    const headers = new Headers(init?.headers);
    const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
    const body = init?.body as string;
    const signed = `${id}.${timestamp}.${body}`;
    expect(headers.get('webhook-signature')).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`);
    const { type, data } = JSON.parse(body) as Received;
    const message = { id, type, data };
    this.received.push(message);
    const response = await this.answer(message);
    this.#wake();
    return response;
  };

  /** Waits until so many attempts have been answered. */
  async take(count: number): Promise<readonly Received[]> {
    while (this.received.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    // The sender has the answer after a few turns.
    await new Promise(setImmediate);
    return this.received;
  }

  get types(): readonly string[] {
    return this.received.map(({ type }) => type.replace('question.', ''));
  }
}
