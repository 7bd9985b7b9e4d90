import { createHmac } from 'node:crypto';
import { invalidOption } from './notify-options.ts';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** Returns the headers of a message, as Standard Webhooks defines them: `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
export type WebhookSigner = (id: string, sentAt: number, body: string) => Readonly<Record<string, string>>;

/**
 * Creates the function that signs messages: HMAC-SHA256 over the id, the time in seconds and the body, joined with dots.
 *
 * @throws {TypeError} for a secret of another form
 */
export function createWebhookSigner(secret: string): WebhookSigner {
  const key = keyOf(secret);
  return (id, sentAt, body) => {
    const timestamp = String(Math.floor(sentAt / 1000));
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  };
}

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(text, 'base64');
  if (!BASE64.test(text) || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES) {
    throw invalidOption('secret', `be ${PREFIX} and ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes as base64`);
  }
  return key;
}
