/** Tests of webhooks for waiting questions. The clock is moved by the tests. */
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../cluster/nodes.test-support.ts';
import { createWebhookSigner } from './webhook-signature.ts';
import { type OpenQuestion, QuestionNotifier, type QuestionNotifierOptions } from './question-notifier.ts';
import { HOOK, type Received, Receiver, SECRET } from './receiver.test-support.ts';

function start(receiver = new Receiver(), options: Partial<QuestionNotifierOptions> = {}) {
  const clock = new ManualClock();
  const onError = vi.fn();
  const onReported = vi.fn();
  const { fetch } = receiver;
  const notifier = new QuestionNotifier({
    url: HOOK,
    secret: SECRET,
    fetch,
    clock,
    onError,
    isOwn: () => true,
    ...options,
  });
  const question = (requestId: string, members: Partial<OpenQuestion> = {}): OpenQuestion => ({
    session: 'cse_1',
    title: 'fix the test',
    requestId,
    eventId: `event-${requestId}`,
    subtype: 'can_use_tool',
    toolName: 'Bash',
    askedAt: clock.now(),
    wasReported: false,
    onReported,
    ...members,
  });
  /** Lets time pass, and everything happen that follows. */
  const pass = async (ms: number) => {
    clock.pass(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { notifier, receiver, clock, onError, onReported, question, pass };
}

const [WAITING, SETTLED] = ['question.waiting', 'question.settled'];

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const status = (code: number, headers = {}) => new Response(null, { status: code, headers });

test('messages are signed as the example of the specification of Standard Webhooks', () => {
  const sign = createWebhookSigner('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  expect(sign('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, '{"test": 2432232314}')).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

verifies('NOTIFY-1', 'a question that has waited is reported once, with its session and a link', async () => {
  const { notifier, receiver, question, onReported, pass, clock } = start(new Receiver(), {
    link: (session) => `https://app.example/${session}`,
  });
  const asked = question('1');
  notifier.asked(asked);
  await pass(29_999);
  // Its session is loaded again.
  notifier.asked(question('1'));
  expect(receiver.received).toEqual([]);
  await pass(1);
  await pass(600_000);
  expect(receiver.received).toEqual([
    {
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'question.waiting',
      data: {
        session_id: 'cse_1',
        title: 'fix the test',
        request_id: '1',
        subtype: 'can_use_tool',
        tool_name: 'Bash',
        asked_at: new Date(asked.askedAt).toISOString(),
        link: 'https://app.example/cse_1',
      },
    },
  ]);
  expect(onReported).toHaveBeenCalledOnce();
  // An agent that was restarted uses the id of the request again.
  notifier.asked(question('1', { eventId: 'another', askedAt: clock.now() }));
  await pass(30_000);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
});

verifies('NOTIFY-1', 'a server does not report the question of a session that it has lost', async () => {
  let isOwn = true;
  const { notifier, receiver, question, pass } = start(new Receiver(), { isOwn: () => isOwn });
  notifier.asked(question('1'));
  isOwn = false;
  await pass(60_000);
  isOwn = true;
  await pass(60_000);
  expect(receiver.received).toEqual([]);
});

test('a question that is settled in time is not reported', async () => {
  const { notifier, receiver, question, pass } = start();
  for (const id of ['1', '2', '3']) notifier.asked(question(id));
  notifier.settled('cse_1', '1', 'answered');
  notifier.settled('cse_2', '2', 'answered');
  notifier.ended('cse_2');
  notifier.lost('cse_1');
  await pass(60_000);
  expect(receiver.received).toEqual([]);
});

describe('a report that fails', () => {
  verifies(
    'NOTIFY-2',
    'is sent again with the same id, later each time, and not before the receiver wants',
    async () => {
      const answers = [() => status(503), () => status(429, { 'retry-after': '100' }), () => status(302)];
      const failing = [...answers, () => Promise.reject(new Error('no network')), () => status(200)];
      const receiver = new Receiver(() => (failing.shift() ?? (() => status(500)))());
      const { notifier, question, pass, onError, onReported } = start(receiver);
      notifier.asked(question('1'));
      await pass(30_000);
      expect(receiver.received).toHaveLength(1);
      await pass(2500);
      expect(receiver.received).toHaveLength(2);
      await pass(99_000);
      expect(receiver.received).toHaveLength(2);
      await pass(1000);
      expect(receiver.received).toHaveLength(3);
      await pass(10_000);
      await pass(20_000);
      expect(receiver.received).toHaveLength(5);
      await pass(3_600_000);
      expect(receiver.received).toHaveLength(5);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
      expect([onError.mock.calls, onReported.mock.calls.length]).toEqual([[], 1]);
    },
  );

  test('is given up after a final refusal, and after 15 attempts', async () => {
    const receiver = new Receiver(({ data }) => status(data['request_id'] === 'final' ? 410 : 500));
    const { notifier, question, pass, onError, onReported } = start(receiver);
    notifier.asked(question('final'));
    await pass(30_000);
    await pass(3_600_000);
    expect(receiver.received).toHaveLength(1);
    notifier.asked(question('failing'));
    for (let step = 0; step < 40; step++) await pass(800_000);
    expect(receiver.received).toHaveLength(1 + 15);
    expect(onReported).not.toHaveBeenCalled();
    expect(onError.mock.calls.map(([{ name, message }]) => [name, message])).toEqual([
      ['WebhookError', 'webhook: question.waiting was not delivered after 1 attempts: status 410'],
      ['WebhookError', 'webhook: question.waiting was not delivered after 15 attempts: status 500'],
    ]);
  });

  test('is given up if nobody answers, without a word of its address', async () => {
    const receiver = new Receiver();
    const never: typeof fetch = (_, init) =>
      new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(new Error(HOOK))));
    const { notifier, question, pass, onError } = start(receiver, { fetch: never });
    notifier.asked(question('1'));
    for (let step = 0; step < 80; step++) await pass(800_000);
    expect(String(onError.mock.calls[0]?.[0])).toBe(
      'WebhookError: webhook: question.waiting was not delivered after 15 attempts: no answer in time',
    );
  });
});

describe('a question that has been reported', () => {
  verifies('NOTIFY-3', 'is withdrawn when it is settled, and when its session ends', async () => {
    const { notifier, receiver, question, pass } = start();
    for (const id of ['1', '2', '3']) notifier.asked(question(id));
    await pass(30_000);
    notifier.settled('cse_1', '1', 'answered');
    notifier.settled('cse_1', '1', 'answered');
    notifier.settled('cse_1', '2', 'cancelled');
    await pass(0);
    notifier.ended('cse_1');
    await pass(0);
    expect(receiver.received.slice(3).map(({ type, data }) => [type, data])).toEqual([
      ['question.settled', { session_id: 'cse_1', request_id: '1', outcome: 'answered' }],
      ['question.settled', { session_id: 'cse_1', request_id: '2', outcome: 'cancelled' }],
      ['question.settled', { session_id: 'cse_1', request_id: '3', outcome: 'cancelled' }],
    ]);
  });

  test('by an earlier process is withdrawn, and not reported again', async () => {
    const { notifier, receiver, question, pass } = start();
    notifier.asked(question('1', { wasReported: true }));
    await pass(60_000);
    expect(receiver.received).toEqual([]);
    notifier.settled('cse_1', '1', 'answered');
    await pass(0);
    expect(receiver.types).toEqual(['settled']);
  });

  verifies('NOTIFY-3', 'is withdrawn after the attempt that is being made, which is not repeated', async () => {
    let answer = (_: Response) => {};
    const receiver = new Receiver(({ type }) =>
      type === 'question.settled' ? status(200) : new Promise<Response>((resolve) => (answer = resolve)),
    );
    const { notifier, question, pass, onError } = start(receiver);
    notifier.asked(question('1'));
    await pass(30_000);
    notifier.settled('cse_1', '1', 'answered');
    await pass(0);
    expect(receiver.types).toEqual(['waiting']);
    answer(status(500));
    await pass(60_000);
    expect(receiver.types).toEqual(['waiting', 'settled']);
    expect(onError).not.toHaveBeenCalled();
  });
});

verifies(
  'NOTIFY-3',
  'whatever the receiver answers, each question has one report, which precedes its withdrawal',
  async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomNumbers(seed);
      const taken: Received[] = [];
      const receiver = new Receiver(async (message) => {
        for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
        const fails = random() < 0.4;
        // A receiver that fails may nevertheless have read the message.
        if (!fails || random() < 0.5) taken.push(message);
        return status(fails ? 500 : 204);
      });
      const { notifier, question, pass, clock } = start(receiver, { afterMs: 1000 });
      const settled = new Set<string>();
      for (let n = 0; n < 8; n++) {
        notifier.asked(question(String(n), { askedAt: clock.now() }));
        if (random() < 0.5) await pass(random() * 2000);
        const id = String(Math.floor(random() * (n + 1)));
        if (random() < 0.5 && !settled.has(id)) {
          settled.add(id);
          notifier.settled('cse_1', id, 'answered');
        }
      }
      for (let step = 0; step < 20; step++) await pass(700_000);
      // The receiver drops what has the same id.
      const once = taken.filter(({ id }, index) => taken.findIndex((other) => other.id === id) === index);
      for (let n = 0; n < 8; n++) {
        const types = once.filter(({ data }) => data['request_id'] === String(n)).map(({ type }) => type);
        const expected = settled.has(String(n)) ? [[], [SETTLED], [WAITING, SETTLED]] : [[WAITING]];
        expect(expected, `seed ${seed}, question ${n}`).toContainEqual(types);
      }
      notifier.close();
    }
  },
);

test('at most 10 webhooks are sent at a time', async () => {
  let open = 0;
  let most = 0;
  const answers: (() => void)[] = [];
  const receiver = new Receiver(async () => {
    most = Math.max(most, ++open);
    await new Promise<void>((resolve) => answers.push(resolve));
    open--;
    return status(200);
  });
  const { notifier, question, pass } = start(receiver);
  for (let n = 0; n < 35; n++) notifier.asked(question(String(n)));
  await pass(30_000);
  while (answers.length > 0) {
    answers.shift()?.();
    await pass(0);
  }
  expect([most, receiver.received.length]).toEqual([10, 35]);
});

test('nothing is sent after the end, and an attempt that is being made is broken', async () => {
  let broken = false;
  const never: typeof fetch = (_, init) =>
    new Promise((__, reject) => {
      init?.signal?.addEventListener('abort', () => {
        broken = true;
        reject(new Error('broken'));
      });
    });
  const { notifier, question, pass, onError } = start(new Receiver(), { fetch: never });
  notifier.asked(question('1'));
  await pass(30_000);
  notifier.asked(question('2'));
  notifier.close();
  await pass(3_600_000);
  expect([broken, onError.mock.calls]).toEqual([true, []]);
});

test.each([
  [{ url: 'http://hooks.example' }, TypeError, 'notify: url must be an address that begins with https:'],
  [{ url: 'ftp://127.0.0.1' }, TypeError, 'notify: url must be'],
  [{ url: 'no address' }, TypeError, 'notify: url must be'],
  [{ url: 'https://me:secret@hooks.example' }, TypeError, 'notify: url must not contain a name or a password'],
  [{ secret: 'whsec_short' }, TypeError, 'notify: secret must be whsec_ and 24 to 64 random bytes as base64'],
  [{ secret: SECRET.slice(6) }, TypeError, 'notify: secret must be'],
  [{ secret: 'whsec_!!!' }, TypeError, 'notify: secret must be'],
  [{ afterMs: -1 }, RangeError, 'afterMs'],
])('%j is refused', (options, error, message) => {
  expect(() => start(new Receiver(), options)).toThrow(error);
  expect(() => start(new Receiver(), options)).toThrow(message);
});

test('a webhook on this machine needs no TLS', () => {
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:1']) start(new Receiver(), { url: `http://${host}/in` });
});
