// Faults of webhooks for waiting questions; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const notify = [
  {
    id: 'notify/reports-again-after-a-restart',
    in: 'ingress SessionQuestions',
    find: 'this.#$reported.has($eventId)',
    becomes: 'false',
    breaks: ['NOTIFY-1'],
  },
  {
    id: 'notify/reports-sessions-of-other-nodes',
    in: 'ingress QuestionNotifier.asked',
    find: 'if (this.#$isOwn($session)) $entry.report = this.#$report($entry);\nelse this.lost($session);',
    becomes: '$entry.report = this.#$report($entry);',
    breaks: ['NOTIFY-1'],
  },
  {
    id: 'notify/reports-requests-that-nobody-answers',
    in: 'ingress SessionQuestions',
    find: '!QUESTIONS.has($request.subtype)',
    becomes: 'false',
    breaks: ['NOTIFY-1'],
  },
  {
    id: 'notify/ignores-retry-after',
    in: 'ingress Webhook.deliver',
    find: '$failure.retryAfterMs ?? 0',
    becomes: '0',
    breaks: ['NOTIFY-2'],
  },
  {
    id: 'notify/signs-only-the-body',
    in: 'ingress createWebhookSigner',
    find: '`${$id}.${$timestamp}.${$body}`',
    becomes: '$body',
    breaks: ['NOTIFY-2'],
  },
  {
    id: 'notify/withdraws-before-the-report',
    in: 'ingress QuestionNotifier',
    find: 'this.#$withdraw($entry.question, $outcome, $entry.report)',
    becomes: 'this.#$withdraw($entry.question, $outcome, Promise.resolve())',
    breaks: ['NOTIFY-3'],
  },
];
