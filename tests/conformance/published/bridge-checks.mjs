// Checks the published bridge, as the worker of a session, against the requirements of this role.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { assistant, comes, overlap, payloadsOf, prompt, until } from './remote-lab.mjs';

const { attachBridgeSession } = await import('@anthropic-ai/claude-agent-sdk/bridge');
// A client that wrongly tries again after a permanent refusal would do so within this time.
const QUIET_MS = 4000;

const isPost = ({ method, path }) => method === 'POST' && path.endsWith('/worker/events');
const isStream = ({ path }) => path.includes('/worker/events/stream');

/** Connects the bridge as the worker of the session of a lab. */
async function attach({ proxy, session, credentials }) {
  const { worker_jwt, worker_epoch } = await credentials();
  const inbound = /** @type {any[]} */ ([]);
  const closed = /** @type {unknown[]} */ ([]);
  const handle = await attachBridgeSession({
    sessionId: session,
    ingressToken: worker_jwt,
    apiBaseUrl: proxy.url,
    epoch: worker_epoch,
    onInboundMessage: (message) => void inbound.push(message),
    onClose: (code) => void closed.push(code),
  });
  await until('a connection', () => handle.isConnected());
  return { handle, inbound, closed, token: worker_jwt, epoch: worker_epoch };
}

/** The bridge, over an event stream and POST. */
export async function checkBridge(lab, note) {
  const { proxy } = lab;
  const { handle, inbound, closed, token, epoch } = await attach(lab);
  const of = (holds) => proxy.exchanges.filter(holds);
  const texts = () => inbound.map(({ message }) => message.content);
  const posted = () => payloadsOf(of(isPost));
  const postsWith = (uuid) => of(isPost).filter((post) => payloadsOf([post]).some((each) => each.uuid === uuid));
  const write = (message) => {
    handle.write(message);
    return message.uuid;
  };

  const [report] = of(({ method }) => method === 'PUT');
  const { pending_action, task_summary } = report.body.external_metadata;
  note('WRK-17', of(({ path }) => path.endsWith('/register')).length === 0);
  note('WRK-21', report.body.worker_status === 'idle');
  note('WRK-22', pending_action === null && task_summary === null);
  await until('a stream', () => of(isStream).length === 1);

  const first = prompt('first');
  await lab.postAsViewer(first);
  await until('the prompt', () => texts().includes('first'));
  const marksOf = (uuid) =>
    of(({ path }) => path.endsWith('/delivery'))
      .flatMap(({ body }) => body.updates)
      .filter(({ event_id }) => event_id === uuid)
      .map(({ status }) => status);
  note('REM-39', await comes(() => marksOf(first.uuid)[0] === 'received'));
  note('REM-40', await comes(() => marksOf(first.uuid).includes('processed')));

  const increment = {
    type: 'stream_event',
    uuid: randomUUID(),
    session_id: 'x',
    parent_tool_use_id: null,
    event: { type: 'message_stop' },
  };
  write(assistant('one'));
  write(increment);
  write({ ...assistant('no uuid'), uuid: undefined });
  await until('the messages', () => posted().length >= 3);
  const entries = () => of(isPost).flatMap(({ body }) => body.events);
  note(
    'REM-16',
    entries().every(({ payload, ephemeral }) => payload.type !== 'stream_event' || ephemeral === true),
  );
  note(
    'EVS-47',
    posted().every(({ uuid }) => typeof uuid === 'string'),
  );

  const uuid = write(assistant('refused once'));
  proxy.refuse((exchange) => isPost(exchange) && postsWith(uuid).includes(exchange), 503);
  note('ERR-13', await comes(() => postsWith(uuid).length === 2));
  const [before, again] = postsWith(uuid).map((post) =>
    JSON.stringify(payloadsOf([post]).find((each) => each.uuid === uuid)),
  );
  note('RES-6', before === again);

  const last = Array.from({ length: 250 }, (_, at) => write(assistant(`message ${at}`))).at(-1);
  await until('all messages', () => postsWith(last).length > 0);
  note('EVS-48', !overlap(of(isPost)));
  note(
    'EVS-49',
    of(isPost).every(({ body }) => body.events.length <= 100),
  );
  note(
    'EVS-45',
    of(isPost).every(({ body }) => body.worker_epoch === epoch && Array.isArray(body.events)),
  );

  proxy.inject('event: x_unknown\ndata: {"a":1}\n\nevent: client_event\ndata: no JSON\n\n');
  const ghost = prompt('without a name');
  const envelope = (payload, number) =>
    JSON.stringify({
      event_id: payload.uuid,
      sequence_num: number,
      event_type: 'user',
      source: 'client',
      created_at: new Date().toISOString(),
      payload,
    });
  proxy.inject(`data: ${envelope(ghost, 1)}\n\n`);
  proxy.inject(`id: 1\nevent: client_event\ndata: ${envelope(first, 1)}\n\n`);
  await lab.postAsViewer(prompt('after odd frames'));
  const goesOn = await comes(() => texts().includes('after odd frames'));
  note('EVS-11', goesOn);
  note('EVS-12', goesOn);
  note('EVS-13', !texts().includes('without a name'));
  note('RES-12', texts().filter((text) => text === 'first').length === 1);

  const beats = () => of(({ path }) => path.endsWith('/heartbeat')).length;
  const earlier = beats();
  proxy.inject('event: ephemeral_event\ndata: {"event_type":"heartbeat_probe"}\n\n');
  note('EVS-23', await comes(() => beats() > earlier));

  proxy.cut();
  note('RES-36', await comes(() => of(isStream).length === 2, 10_000));
  const { headers, path } = of(isStream)[1];
  const inQuery = new URLSearchParams(path.split('?')[1]).get('from_sequence_num');
  note('EVS-25', headers['last-event-id'] === inQuery && Number(inQuery) > 1);
  await lab.postAsViewer(prompt('after the cut'));
  await until('the prompt', () => texts().includes('after the cut'));
  // Event 1 was repeated above. A client that had moved its cursor back then would receive texts twice after the cut.
  note('EVS-17', new Set(texts()).size === texts().length);

  const dropped = assistant('refused with 400');
  proxy.refuse(
    (exchange) => isPost(exchange) && payloadsOf([exchange]).some((each) => each.uuid === dropped.uuid),
    400,
  );
  write(dropped);
  await until('the refused message', () => postsWith(dropped.uuid).length > 0);
  const following = write(assistant('after a refusal'));
  await until('the next message', () => postsWith(following).length > 0);
  note('ERR-12', postsWith(dropped.uuid).length === 1);
  note(
    'REM-6',
    proxy.exchanges.every((exchange) => exchange.headers.authorization === `Bearer ${token}`),
  );
  note(
    'WRK-3',
    proxy.exchanges.every(({ body }) => body === undefined || body.worker_epoch === epoch),
  );

  proxy.refuse(isPost, 409);
  write(assistant('refused with 409'));
  await until('the end', () => closed.length > 0);
  const count = proxy.exchanges.length;
  write(assistant('too late'));
  await delay(QUIET_MS);
  note('WRK-11', proxy.exchanges.length === count);
  note(
    'WRK-12',
    of(isStream).every(({ ended }) => ended !== Infinity),
  );
  handle.close();

  const next = await attach(lab);
  await until('its stream', () => of(isStream).length === 3);
  proxy.refuse(isStream, 403);
  proxy.cut();
  await until('the end', () => next.closed.length > 0);
  await delay(QUIET_MS);
  note('WRK-41', of(isStream).length === 4);
  next.handle.close();
}
