// Checks the published browser SDK, as the viewer of a session, against the requirements of this role. Each function gets a lab and records whether a
// requirement is met.
import { setTimeout as delay } from 'node:timers/promises';

import { assistant, comes, overlap, payloadsOf, permission, prompt, TOKEN, until } from './remote-lab.mjs';

const { query } = await import('@anthropic-ai/claude-agent-sdk/browser');
// A client that wrongly tries again after a permanent refusal would do so within this time.
const QUIET_MS = 4000;

/** Opens a viewer with the published SDK. @param {object} options */
function openViewer(options) {
  /** @type {unknown[]} */
  const waiting = [];
  let wake = () => {};
  const prompts = (async function* () {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  })();
  const abortController = new AbortController();
  const running = query(/** @type {any} */ ({ prompt: prompts, abortController, ...options }));
  const viewer = {
    query: running,
    texts: /** @type {string[]} */ ([]),
    messages: /** @type {any[]} */ ([]),
    hasEnded: false,
    /** @type {unknown} */
    error: undefined,
    say(/** @type {unknown} */ message) {
      waiting.push(message);
      wake();
    },
    close: () => abortController.abort(),
  };
  const read = async () => {
    for await (const message of running) {
      viewer.messages.push(message);
      if (message.type === 'assistant') viewer.texts.push(message.message.content[0].text);
    }
  };
  read()
    .catch((error) => void (viewer.error = error))
    .finally(() => void (viewer.hasEnded = true));
  return viewer;
}

const streamsOf = (proxy) => proxy.exchanges.filter(({ path }) => path.includes('/events/stream'));
const postsOf = (proxy) => proxy.exchanges.filter(({ method, path }) => method === 'POST' && path.endsWith('/events'));
const isPost = ({ method, path }) => method === 'POST' && path.endsWith('/events');
const postsWith = (proxy, uuid) =>
  postsOf(proxy).filter((post) => payloadsOf([post]).some((each) => each.uuid === uuid));

/** Answers the `initialize` of a viewer as a worker. */
async function initialized(lab, worker, requests) {
  await until('initialize', () => requests().some(({ request }) => request?.subtype === 'initialize'));
  const { request_id } = requests().findLast(({ request }) => request?.subtype === 'initialize');
  const response = {
    commands: [],
    agents: [],
    models: [],
    account: {},
    output_style: 'default',
    available_output_styles: [],
  };
  await lab.postAsWorker(worker, { type: 'control_response', response: { subtype: 'success', request_id, response } });
}

const result = { type: 'result', subtype: 'success', is_error: false, result: '', session_id: 'x', num_turns: 1 };

/** The viewer over an event stream and POST. */
export async function checkStreamViewer(lab, note) {
  const { proxy, session, path } = lab;
  const worker = await lab.credentials();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const sse = {
    sessionId: session,
    streamUrl: `${proxy.url}${path}/events/stream`,
    sendUrl: `${proxy.url}${path}/events`,
    headers,
  };
  let asked = 0;
  const canUseTool = async (_name, input) => {
    asked += 1;
    return { behavior: 'allow', updatedInput: input };
  };
  const viewer = openViewer({ sse, canUseTool });
  const requests = () => payloadsOf(postsOf(proxy));
  await initialized(lab, worker, requests);
  const [first] = postsOf(proxy);
  note('EVS-37', streamsOf(proxy).length > 0 && streamsOf(proxy)[0].began <= first.began);
  note('REM-34', payloadsOf([first])[0].request?.subtype === 'initialize');

  const one = prompt('one');
  viewer.say(one);
  await until('the prompt', () => postsWith(proxy, one.uuid).length > 0);
  note(
    'EVS-34',
    postsOf(proxy).every(({ body }) => body.session_id === session && Array.isArray(body.events)),
  );

  const refused = prompt('refused once');
  proxy.refuse((exchange) => isPost(exchange) && payloadsOf([exchange])[0].uuid === refused.uuid, 503);
  viewer.say(refused);
  note('EVS-42', await comes(() => postsWith(proxy, refused.uuid).length === 2));
  const [before, again] = postsWith(proxy, refused.uuid).map(({ body }) => JSON.stringify(body));
  note('RES-6', before === again);

  const later = prompt('refused with 429');
  proxy.refuse((exchange) => isPost(exchange) && payloadsOf([exchange])[0].uuid === later.uuid, 429, {
    'retry-after': '3',
  });
  viewer.say(later);
  await until('a second attempt', () => postsWith(proxy, later.uuid).length === 2);
  const [early, late] = postsWith(proxy, later.uuid);
  note('ERR-11', late.began - early.ended >= 2990);

  for (const text of ['a', 'b', 'c']) viewer.say(prompt(text));
  await until('all prompts', () => requests().filter(({ type }) => type === 'user').length === 8);
  note('EVS-36', !overlap(postsOf(proxy)));
  note(
    'EVS-35',
    requests().every(({ uuid }) => typeof uuid === 'string'),
  );

  await lab.postAsWorker(worker, assistant('before'), { ...result }, assistant('after'));
  note('REM-33', await comes(() => viewer.texts.includes('after')));

  proxy.inject(': a comment\n\nevent: x_unknown\ndata: {"a":1}\n\n');
  const increment = {
    type: 'stream_event',
    uuid: crypto.randomUUID(),
    session_id: 'x',
    parent_tool_use_id: null,
    event: {},
  };
  const envelope = JSON.stringify({ event_type: 'stream_event', source: 'worker', payload: increment });
  proxy.inject(`event: ephemeral_event\r\ndata: {\r\ndata: ${envelope.slice(1)}\r\n\r\n`);
  note('EVS-6', await comes(() => viewer.messages.some(({ uuid }) => uuid === increment.uuid)));
  await lab.postAsWorker(worker, assistant('after news'));
  note('EVS-11', await comes(() => viewer.texts.includes('after news')));

  await lab.postAsViewer(permission('forged'));
  await lab.postAsWorker(worker, permission('real'));
  await until('the question', () => asked > 0);
  await lab.postAsWorker(worker, assistant('after the question'));
  await until('the text', () => viewer.texts.includes('after the question'));
  note('REM-31', asked === 1);

  const opened = streamsOf(proxy).length;
  proxy.cut();
  note('RES-37', await comes(() => streamsOf(proxy).length > opened, 10_000));
  await lab.postAsWorker(worker, assistant('after the cut'));
  await until('the text', () => viewer.texts.includes('after the cut'));
  const cursor = Number(streamsOf(proxy).at(-1).headers['last-event-id']);
  note('EVS-24', cursor > 0);
  // A cursor that is too low would cause repeated texts, and a cursor that is too high would cause lost texts.
  note('EVS-17', new Set(viewer.texts).size === viewer.texts.length && viewer.texts.length === 5);
  note(
    'REM-6',
    proxy.exchanges.every((exchange) => exchange.headers.authorization === `Bearer ${TOKEN}`),
  );

  const streams = streamsOf(proxy).length;
  proxy.refuse(({ path: asking }) => asking.includes('/stream'), 401);
  proxy.cut();
  await until('the end', () => viewer.hasEnded);
  await delay(QUIET_MS);
  note('ERR-15', streamsOf(proxy).length === streams + 1);

  const other = openViewer({ sse });
  await until('another viewer', () => streamsOf(proxy).length === streams + 2);
  const forbidden = prompt('forbidden');
  proxy.refuse((exchange) => isPost(exchange) && payloadsOf([exchange])[0].uuid === forbidden.uuid, 403);
  other.say(forbidden);
  await until('the refused prompt', () => postsWith(proxy, forbidden.uuid).length > 0);
  await delay(QUIET_MS);
  note('ERR-16', postsWith(proxy, forbidden.uuid).length === 1);
  other.close();
}

/** The viewer over a WebSocket with plain lines. */
export async function checkSocketViewer(lab, note) {
  const { proxy, session } = lab;
  const worker = await lab.credentials();
  const url = `${proxy.url.replace('http', 'ws')}/v1/sessions/ws/${session}/subscribe`;
  const authMessage = { type: 'auth', credential: { type: 'oauth', token: TOKEN } };
  const viewer = openViewer({ websocket: { url, authMessage } });
  await until('the first frames', () => proxy.frames.length >= 2);
  const lines = () => proxy.frames.map((frame) => JSON.parse(frame));
  note('WSK-17', lines()[0].type === 'auth');
  // Nothing has been sent to the viewer so far: the server does not answer the line.
  note('WSK-18', lines().length >= 2 && viewer.messages.length === 0);
  await initialized(lab, worker, lines);
  viewer.say(prompt('over a socket'));
  await until('the prompt', () => lines().some(({ type }) => type === 'user'));
  note(
    'WSK-14',
    proxy.frames.every((frame) => frame.endsWith('\n') && !frame.slice(0, -1).includes('\n')),
  );

  const line = (text) => `${JSON.stringify(assistant(text))}\n`;
  proxy.send(line('one') + line('two'));
  note('WSK-7', await comes(() => viewer.texts.includes('one') && viewer.texts.includes('two')));
  const spread = line('spread');
  proxy.send(spread.slice(0, 40), spread.slice(40));
  note('WSK-8', await comes(() => viewer.texts.includes('spread')));
  proxy.send('this is not JSON\n', line('after a broken line'));
  note('WSK-12', await comes(() => viewer.texts.includes('after a broken line')));
  proxy.send('{"type":"keep_alive"}\n', line('after a sign of life'));
  await until('the text', () => viewer.texts.includes('after a sign of life'));
  note(
    'WSK-29',
    viewer.messages.every(({ type }) => type !== 'keep_alive'),
  );
  proxy.send(`${JSON.stringify(result)}\n`, line('after a result'));
  note('REM-33', await comes(() => viewer.texts.includes('after a result')));
  proxy.closeSockets(1000);
  note('WSK-32', (await comes(() => viewer.hasEnded)) && viewer.error === undefined);
}
