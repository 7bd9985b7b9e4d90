// Reads and writes the lines of an adapter for a host in JavaScript: docs/conformance-hosts.md describes the lines. The host provides `run`.
import { createInterface } from 'node:readline';

/**
 * Carries out the orders of the suite until standard input ends.
 *
 * `run(scenario, user)` opens one session. It resolves when the session has ended for its user, or rejects with the error that the user got.
 * `user.receive(message)` passes a message to the user, and `user.ask(kind, request, signal)` asks the user. `user.methods` contains the functions
 * that the user can call; each function receives the arguments and a signal.
 */
export function serve({ name, features, run }) {
  const write = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
  let session;
  createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line);
    if (order.type === 'init') write({ type: 'init', protocol: 1, name, features });
    else if (order.type === 'run') session = open(order, run, write);
    else if (session?.id === order.run) session.handle(order);
  });
}

function open(scenario, run, write) {
  const id = scenario.run;
  const questions = new Map();
  const calls = new Map();
  const send = (event) => write({ ...event, run: id });
  let asked = 0;
  const user = {
    methods: {},
    receive: (message) => send({ type: 'message', message }),
    ask: (kind, request, signal) =>
      new Promise((resolve, reject) => {
        const question = `question-${++asked}`;
        questions.set(question, { resolve, reject });
        const withdraw = () => {
          send({ type: 'withdrawn', id: question });
          reject(new Error('The question was withdrawn.'));
        };
        send({ type: 'question', id: question, kind, request });
        // A library may notice a cancel before it calls the function of its user.
        if (signal?.aborted) withdraw();
        else signal?.addEventListener('abort', withdraw);
      }),
  };
  const handle = async (order) => {
    if (order.type === 'answer') {
      const { resolve, reject } = questions.get(order.id) ?? {};
      if (order.error === undefined) resolve?.(order.value);
      else reject?.(new Error(order.error));
    } else if (order.type === 'withdraw') calls.get(order.id)?.abort();
    else if (order.type === 'call') {
      const controller = new AbortController();
      calls.set(order.id, controller);
      try {
        if (user.methods[order.method] === undefined) throw new Error(`The user cannot call ${order.method}.`);
        const value = await user.methods[order.method](order.arguments, controller.signal);
        send({ type: 'called', id: order.id, value: value ?? {} });
      } catch (error) {
        send({ type: 'called', id: order.id, error: String(error?.message ?? error) });
      }
    }
  };
  Promise.resolve()
    .then(() => run(scenario, user))
    .then(
      () => send({ type: 'result' }),
      (error) => send({ type: 'result', error: String(error?.message ?? error) }),
    );
  return { id, handle };
}

/**
 * The prompts of a scenario, as an iterable: each prompt follows the result of the previous prompt, or all prompts follow at once with `together`.
 * The iterable ends after the last prompt or, with `open`, when `end` is called.
 */
export function promptsOf({ prompts, together, open }) {
  const left = [...prompts];
  const waiting = together ? left.splice(0) : left.splice(0, 1);
  let isOpen = open;
  let wake = () => {};
  return {
    add(text) {
      waiting.push(text);
      wake();
    },
    /** A turn has ended. */
    result() {
      waiting.push(...left.splice(0, 1));
      wake();
    },
    end() {
      isOpen = false;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        if (!isOpen && left.length === 0) return;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
}
