// Turns the webhooks of a session server into push messages.
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import webPush from 'web-push';

/** The last webhooks, to drop repetitions. */
const REMEMBERED = 1000;

/**
 * `secret` is the one of `--notify-secret-file`. `vapid` has the keys of `webPush.generateVAPIDKeys()` and a `subject`: how a push service can reach you.
 * `subscriptions` is a map of the subscriptions of browsers by their endpoints, which you keep in a database.
 */
export function createGateway({ secret, vapid, subscriptions }) {
  const app = new Hono();
  const webhook = new Webhook(secret);
  const taken = new Set();

  app.post('/hook', async (c) => {
    let question;
    try {
      question = webhook.verify(await c.req.text(), c.req.header());
    } catch {
      return c.text('the signature is wrong', 401);
    }
    const id = c.req.header('webhook-id');
    if (taken.has(id)) return c.body(null, 204);
    const results = await Promise.all([...subscriptions.values()].map((to) => push(to, question)));
    // The server sends the webhook again. Browsers that have the message replace it, because its tag is the same.
    if (results.includes('failed')) return c.text('a push service cannot be reached', 503);
    taken.add(id);
    if (taken.size > REMEMBERED) taken.delete(taken.values().next().value);
    return c.body(null, 204);
  });

  /** A browser that has no right to see questions must not get them: in your server, sign in its user first. */
  app.post('/subscriptions', async (c) => {
    const subscription = await c.req.json();
    subscriptions.set(subscription.endpoint, subscription);
    return c.body(null, 201);
  });

  async function push(subscription, { type, data }) {
    const tag = `${data.session_id} ${data.request_id}`;
    const message =
      type === 'question.settled'
        ? { tag, isSettled: true }
        : { tag, title: data.title, body: `${data.tool_name ?? 'The agent'} waits for your answer`, url: data.link };
    const { endpoint, ...request } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
      vapidDetails: vapid,
      urgency: 'high',
      TTL: 3600,
    });
    const response = await fetch(endpoint, request).catch(() => undefined);
    await response?.body?.cancel();
    // The user has withdrawn the subscription, or the browser is gone.
    if (response?.status === 404 || response?.status === 410) subscriptions.delete(subscription.endpoint);
    else if (!response?.ok) return 'failed';
    return 'sent';
  }

  return app;
}
