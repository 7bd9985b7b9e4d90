import { isObject, shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import { flagValues, listOf, member, type Message, parseJson, type Session } from '../../session-log.ts';
import { callsOf, possibleInputs } from '../calls.ts';
import { askedExchangesOf, exchangesOf, spansOf } from '../exchanges.ts';
import { resultsOf } from '../moments.ts';
import { between } from '../../../positions.ts';
import { toolPrefixOf } from '../turns/init-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { AddedServers, namesIn } from './added-servers.ts';
import { CallsByInput } from './calls-by-input.ts';
import { isInit, subtypeOf, timelineOf } from '../timeline.ts';

export const serverRules: readonly Rule[] = [
  { name: 'mcp/connects', spec: 'MCP-1', check: unconnected },
  { name: 'mcp/connects-of-the-command-line', spec: 'MCP-2', check: unconnectedOfTheCommandLine },
  { name: 'mcp/parked', spec: 'MCP-11', check: handshakesOfParked },
  { name: 'mcp/disabled-tools', spec: 'MCP-29', check: (session) => follow(session, 'tools') },
  { name: 'dialog/listed-kind', spec: 'MCP-26', check: foreignDialogs },
  { name: 'mcp/all-in-init', spec: 'MCP-3', check: (session) => follow(session, 'init') },
  { name: 'mcp/all-in-status', spec: 'CTL-36', check: (session) => follow(session, 'status') },
  { name: 'mcp/set-servers-in-init', spec: 'MCP-23', check: (session) => follow(session, 'set') },
  { name: 'mcp/disabled-in-status', spec: 'MCP-20', check: (session) => follow(session, 'disabled') },
  { name: 'mcp/unknown-server', spec: 'MCP-21', check: (session) => follow(session, 'unknown') },
  { name: 'mcp/handshake', spec: 'MCP-6', check: handshakesOutOfOrder },
  { name: 'mcp/failed-call', spec: 'MCP-14', check: (session) => results(session, 'failed') },
  { name: 'mcp/texts', spec: 'MCP-33', check: (session) => results(session, 'texts') },
];

interface Named {
  readonly start: Set<string>;
  readonly requested: Set<string>;
  readonly disabled: Set<string>;
  /** The servers that were disabled and then connected again. */
  readonly unsure: Set<string>;
  readonly added: AddedServers;
  /** Names of servers that were removed and not added again. */
  readonly gone: Set<string>;
  /** Names that the agent has listed, which may include servers from its settings. */
  readonly listed: Set<unknown>;
}

function namesOnTheCommandLine(session: Session): readonly string[] {
  return flagValues(session, '--mcp-config').flatMap((text) =>
    Object.keys(member(parseJson(text), 'mcpServers') ?? {}),
  );
}

/** The requests that change which servers exist, or whether they are used. */
const CHANGING = new Set<unknown>(['initialize', 'mcp_set_servers', 'mcp_toggle', 'mcp_reconnect']);

type Kind = 'init' | 'status' | 'set' | 'disabled' | 'tools' | 'unknown';

/** Follows the servers that the host names, and finds an agent's list that does not match. */
function follow(session: Session, kind: Kind): Broken | undefined {
  const servers: Named = {
    start: new Set(namesOnTheCommandLine(session)),
    requested: new Set(),
    disabled: new Set(),
    unsure: new Set(),
    added: new AddedServers(session),
    gone: new Set(),
    listed: new Set(),
  };
  const exchanges = exchangesOf(session);
  const changing = spansOf(exchanges.filter(({ subtype }) => CHANGING.has(subtype)));
  const replacing = spansOf(exchanges.filter(({ subtype }) => subtype === 'mcp_set_servers'));
  const answers = new Map(exchanges.map((exchange) => [exchange.answer, exchange]));
  let isReady = false;
  return firstOf(session.received, ({ message, at }) => {
    const exchange = answers.get(message);
    for (const server of [...listOf(message['mcp_servers']), ...listOf(member(exchange?.payload, 'mcpServers'))])
      servers.listed.add(member(server, 'name'));
    // Between a request and its answer, it is not certain which servers exist.
    const isUnsure = (from: number) => changing.across(at, from).length > 0;
    if (isInit(message)) {
      isReady = true;
      return isUnsure(at) ? undefined : inInit(message, servers, kind);
    }
    if (message['type'] === 'result') servers.added.removeConnected(at);
    if (exchange === undefined) return undefined;
    const { subtype, request, payload } = exchange;
    if (subtype === 'mcp_status' && payload !== undefined && isReady && !isUnsure(exchange.asked))
      return inStatus(message, payload, servers, kind);
    const server = String(request['serverName']);
    const isKnown = () =>
      [servers.start, servers.requested, servers.listed].some((names) => names.has(server)) ||
      (namedAt(session).get(server) ?? Infinity) < at;
    if (kind === 'unknown' && (subtype === 'mcp_toggle' || subtype === 'mcp_reconnect'))
      return payload !== undefined && typeof request['serverName'] === 'string' && !isKnown()
        ? { message: `${subtype} succeeded for the unknown server ${shortJson(server)}.`, got: message }
        : undefined;
    // An agent may answer initialize after a later mcp_set_servers, which has replaced the servers.
    const isReplaced = subtype === 'initialize' && replacing.hasWithin(exchange.asked, at);
    if (payload !== undefined && subtype === 'initialize') servers.added.follow(exchange, servers.start);
    if (payload !== undefined && !isReplaced) apply(servers, subtype, request, payload);
    return undefined;
  });
}

function namedBy(message: Message): readonly unknown[] {
  const { sdkMcpServers, servers } = (message['request'] ?? {}) as Message;
  if (subtypeOf(message) === 'initialize') return listOf(sdkMcpServers);
  return subtypeOf(message) === 'mcp_set_servers' && isObject(servers) ? Object.keys(servers) : [];
}

/** The positions at which the host has first named each server. */
const namedAt = onceFor(({ sent }: Session) => {
  const places = new Map<unknown, number>();
  for (const { message, at } of sent) for (const name of namedBy(message)) if (!places.has(name)) places.set(name, at);
  return places;
});

function apply(servers: Named, subtype: unknown, request: Message, payload: unknown): void {
  const { serverName, enabled, servers: wanted } = request;
  const name = String(serverName);
  if (subtype === 'mcp_toggle') servers.disabled[enabled === false ? 'add' : 'delete'](name);
  if (subtype === 'mcp_toggle') servers.unsure.delete(name);
  // An agent may leave the server disabled or enable it.
  if (subtype === 'mcp_reconnect' && servers.disabled.delete(name)) servers.unsure.add(name);
  if (subtype === 'initialize')
    for (const name of namesIn(request)) {
      servers.start.add(name);
      servers.gone.delete(name);
    }
  if (subtype !== 'mcp_set_servers' || !isObject(wanted)) return;
  for (const name of servers.requested) if (!Object.hasOwn(wanted, name)) servers.gone.add(name);
  for (const name of listOf(member(payload, 'removed')).map(String)) {
    servers.start.delete(name);
    // If the server is added again, an agent may leave the server disabled or enable it.
    if (servers.disabled.delete(name)) servers.unsure.add(name);
  }
  servers.requested.clear();
  for (const name of Object.keys(wanted)) servers.requested.add(name);
  for (const name of [...servers.requested, ...servers.start]) servers.gone.delete(name);
}

function inInit(message: Message, servers: Named, kind: Kind): Broken | undefined {
  const names = new Set<unknown>(listOf(message['mcp_servers']).map((server) => member(server, 'name')));
  const wanted = kind === 'init' ? servers.start : kind === 'set' ? servers.requested : [];
  // An agent may leave out a disabled server.
  const mayBeLeftOut = (name: string) =>
    [servers.disabled, servers.unsure, servers.added].some((names) => names.has(name));
  const missing = [...wanted].find((name) => !names.has(name) && !mayBeLeftOut(name));
  const disabled = kind === 'tools' ? [...servers.disabled].map(toolPrefixOf) : [];
  const tool = listOf(message['tools']).find((name) => disabled.some((prefix) => String(name).startsWith(prefix)));
  if (tool !== undefined)
    return {
      message: `tools in system/init contains ${shortJson(tool)}, although its server is disabled.`,
      got: message,
    };
  const left = kind === 'set' ? [...servers.gone].find((name) => names.has(name)) : undefined;
  if (missing !== undefined)
    return { message: `mcp_servers in system/init does not contain ${shortJson(missing)}.`, got: message };
  return left === undefined
    ? undefined
    : { message: `mcp_servers in system/init contains ${shortJson(left)}, which was removed.`, got: message };
}

function inStatus(message: Message, payload: unknown, servers: Named, kind: Kind): Broken | undefined {
  const list = listOf(member(payload, 'mcpServers'));
  const names = new Set(list.map((server) => member(server, 'name')));
  const wanted = [...servers.start, ...servers.requested];
  const missing = wanted.find((name) => !names.has(name) && !servers.added.has(name));
  if (kind === 'status' && missing !== undefined)
    return { message: `The answer to mcp_status does not contain ${shortJson(missing)}.`, got: message };
  const wrong = list.find((server) => {
    const name = String(member(server, 'name'));
    return !servers.unsure.has(name) && servers.disabled.has(name) !== (member(server, 'status') === 'disabled');
  });
  return kind === 'disabled' && wrong !== undefined
    ? {
        message: `The status of ${shortJson(member(wrong, 'name'))} does not show whether the server is disabled.`,
        got: message,
      }
    : undefined;
}

export const messagesToServers = onceFor((session: Session) =>
  session.received.flatMap(({ message, at }) => {
    const rpc = member(message, 'request', 'message');
    const server = member(message, 'request', 'server_name');
    return subtypeOf(message) === 'mcp_message' && isObject(rpc)
      ? [{ message, at, server, rpc, method: rpc['method'], id: rpc['id'] }]
      : [];
  }),
);

/** Finds servers that `initialize` names but that were not addressed before the end of a turn that began later. */
function unconnected(session: Session): Broken | undefined {
  const addressed = new Set(messagesToServers(session).map(({ server }) => server));
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, at }) => {
    const hasTurn = (resultsOf(session).at(-1)?.at ?? -1) > at;
    if (subtype !== 'initialize' || payload === undefined || !hasTurn || request['sdkMcpServerManifests'] !== undefined)
      return undefined;
    const missing = listOf(request['sdkMcpServers']).find((name) => !addressed.has(name));
    return missing === undefined
      ? undefined
      : { message: `The agent has not connected to the server ${shortJson(missing)}.`, got: answer };
  });
}

function unconnectedOfTheCommandLine(session: Session): Broken | undefined {
  const addressed = new Set(messagesToServers(session).map(({ server }) => server));
  const named = flagValues(session, '--mcp-config').flatMap((text) => {
    const servers = member(parseJson(text), 'mcpServers');
    return isObject(servers) ? Object.entries(servers).filter(([, server]) => member(server, 'type') === 'sdk') : [];
  });
  const begin = session.received.findIndex(({ message }) => isInit(message));
  const hasTurn = begin !== -1 && session.received.slice(begin).some(({ message }) => message['type'] === 'result');
  const missing = hasTurn ? named.find(([name]) => !addressed.has(name)) : undefined;
  return missing && { message: `The agent has not connected to the server ${shortJson(missing[0])}.` };
}

const RENEWALS = new Set<unknown>(['mcp_toggle', 'mcp_reconnect', 'mcp_set_servers', 'mcp_message']);

function handshakesOfParked(session: Session): Broken | undefined {
  const renewed = session.sent.find(({ message }) => RENEWALS.has(subtypeOf(message)))?.at ?? Infinity;
  const handshakes = messagesToServers(session).filter(({ method }) => method === 'initialize');
  return firstOf(exchangesOf(session), ({ payload, at: answered }) => {
    const parked = member(payload, 'sdk_mcp_manifests_parked');
    if (!isObject(parked)) return undefined;
    const wrong = between(handshakes, answered, renewed).find(({ server }) => parked[String(server)] === 'parked');
    return (
      wrong && { message: 'The manifest of a server is parked, but the agent made a handshake.', got: wrong.message }
    );
  });
}

function foreignDialogs(session: Session): Broken | undefined {
  const kinds = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && subtypeOf(message) === 'initialize')
      for (const kind of listOf(member(message, 'request', 'supportedDialogKinds'))) kinds.add(kind);
    const kind = member(message, 'request', 'dialog_kind');
    return !isOurs && subtypeOf(message) === 'request_user_dialog' && !kinds.has(kind)
      ? {
          message: `The agent sent a dialog of the kind ${shortJson(kind)}, which the host did not list.`,
          got: message,
        }
      : undefined;
  });
}

const STEPS = ['initialize', 'notifications/initialized', 'tools/list'];

function handshakesOutOfOrder(session: Session): Broken | undefined {
  const manifests = session.sent.some(
    ({ message }) => member(message, 'request', 'sdkMcpServerManifests') !== undefined,
  );
  if (manifests) return undefined;
  const seen = new Map<unknown, Set<unknown>>();
  return firstOf(messagesToServers(session), ({ message, server, method }) => {
    const before = seen.get(server) ?? new Set();
    seen.set(server, before.add(method));
    const step = method === 'tools/call' ? STEPS.length : STEPS.indexOf(String(method));
    const missing = STEPS.slice(0, Math.max(0, step)).find((each) => !before.has(each));
    return missing === undefined
      ? undefined
      : { message: `${String(method)} was sent before ${missing} to the server ${shortJson(server)}.`, got: message };
  });
}

const callsByInputOf = onceFor((session: Session) => new CallsByInput(callsOf(session), possibleInputs));

/** A call is left out if another open call looks the same. */
function results(session: Session, kind: 'failed' | 'texts'): Broken | undefined {
  const calls = callsByInputOf(session);
  return firstOf(askedExchangesOf(session), ({ subtype, request, payload, asked, at }) => {
    const rpc = member(request, 'message');
    if (subtype !== 'mcp_message' || member(rpc, 'method') !== 'tools/call' || payload === undefined) return undefined;
    const name = `${toolPrefixOf(request['server_name'])}${String(member(rpc, 'params', 'name'))}`;
    const own = calls.openAt(name, member(rpc, 'params', 'arguments') ?? {}, asked, at);
    const [call] = own;
    if (call?.result === undefined || own.length !== 1) return undefined;
    const answer = member(payload, 'mcp_response');
    const hasFailed = member(answer, 'result', 'isError') === true || member(answer, 'error') !== undefined;
    if (kind === 'failed' && hasFailed && call.result['is_error'] !== true)
      return {
        message: 'The server reports that the call failed, but the tool_result lacks is_error.',
        got: call.result,
      };
    const texts = listOf(member(answer, 'result', 'content')).map((block) => member(block, 'text'));
    const content = JSON.stringify(call.result['content']) ?? '';
    const lost = texts.find((text) => typeof text === 'string' && !content.includes(JSON.stringify(text).slice(1, -1)));
    return kind === 'texts' && !hasFailed && call.result['is_error'] !== true && lost !== undefined
      ? { message: `The tool_result does not contain the text ${shortJson(lost)} from the server.`, got: call.result }
      : undefined;
  });
}
