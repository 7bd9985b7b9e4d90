import { isObject, shortJson } from '@proto/testkit/steps';

import { hasFlag, listOf, member, type Message, type Session } from '../../session-log.ts';
import { endOfInput } from '../calls.ts';
import { askedExchangesOf, type Exchange, exchangesOf, spansOf } from '../exchanges.ts';
import { byKeys } from '../../../by-keys.ts';
import { initsOf, resultsOf } from '../moments.ts';
import { firstAfter, lastBefore } from '../../../positions.ts';
import { ValuedMap } from '../valued-map.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
import { toolPrefixOf } from '../turns/init-rules.ts';
import { messagesToServers } from './server-rules.ts';

export const mcpRules: readonly Rule[] = [
  { name: 'mcp/json-rpc', spec: 'MCP-7', check: wrongJsonRpc },
  { name: 'mcp/cancels-open-call', spec: 'MCP-18', check: cancelsOfNoOpenCall },
  { name: 'mcp/asks-again', spec: 'MCP-17', check: unreadChanges },
  { name: 'mcp/cancels-call', spec: 'MCP-18', check: callsLeftOpen },
  { name: 'mcp/listed-tools', spec: 'MCP-41', check: otherTools },
];

/** Finds messages to MCP servers that are not valid JSON-RPC: a notification with an id, a request without an id, or an id that is used twice. */
function wrongJsonRpc(session: Session): Broken | undefined {
  const used = new Map<unknown, Set<unknown>>();
  const crossing = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    if (subtypeOf(message) !== 'mcp_message') return undefined;
    const server = member(message, 'request', 'server_name');
    const { jsonrpc, id, method } = (member(message, 'request', 'message') ?? {}) as Message;
    if (jsonrpc !== '2.0') return { message: 'A message to an MCP server lacks jsonrpc: "2.0".', got: message };
    if (typeof method !== 'string') return undefined;
    const isNote = method.startsWith('notifications/');
    if (isNote !== (id === undefined))
      return { message: `The JSON-RPC message ${method} ${isNote ? 'has an' : 'has no'} id.`, got: message };
    if (method === 'initialize') {
      // Two successive connections may overlap: each has its own series of ids.
      if (used.has(server)) crossing.add(server);
      const { protocolVersion, capabilities, clientInfo } = (member(message, 'request', 'message', 'params') ??
        {}) as Message;
      if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isObject(clientInfo))
        return {
          message: 'An initialize request to an MCP server lacks protocolVersion, capabilities or clientInfo.',
          got: message,
        };
    }
    const ids = used.get(server) ?? new Set();
    if (id !== undefined && ids.has(id) && !crossing.has(server))
      return { message: `Two JSON-RPC requests have the id ${shortJson(id)}.`, got: message };
    used.set(server, ids.add(id));
    return undefined;
  });
}

function cancelsOfNoOpenCall(session: Session): Broken | undefined {
  const open = new ValuedMap<unknown, string>();
  const answered = new Set<unknown>();
  const closing = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs) {
      answered.add(answeredId(message));
      closing.add(answeredId(message));
    }
    // Until the end of the turn, an answer and the agent's cancel may have crossed.
    if (message['type'] === 'result') {
      for (const id of closing) open.delete(id);
      closing.clear();
    }
    if (isOurs || subtypeOf(message) !== 'mcp_message') return undefined;
    const server = member(message, 'request', 'server_name');
    const { id, method, params } = (member(message, 'request', 'message') ?? {}) as Message;
    if (id !== undefined) open.set(message['request_id'], shortJson([server, id]));
    if (id !== undefined && answered.has(message['request_id'])) closing.add(message['request_id']);
    if (method !== 'notifications/cancelled') return undefined;
    return open.hasValue(shortJson([server, member(params, 'requestId')]))
      ? undefined
      : { message: 'A notifications/cancelled message does not name an open call.', got: message };
  });
}

function callsLeftOpen(session: Session): Broken | undefined {
  const open = new Map<unknown, { readonly id: unknown; readonly message: Message }>();
  // For each id of JSON-RPC, the requests that had it.
  const requests = new Map<unknown, unknown[]>();
  const hold = (message: Message, id: unknown) => {
    open.set(message['request_id'], { id, message });
    if (requests.get(id)?.push(message['request_id']) === undefined) requests.set(id, [message['request_id']]);
  };
  const release = (id: unknown) => {
    for (const request of requests.get(id) ?? []) if (open.get(request)?.id === id) open.delete(request);
    requests.delete(id);
  };
  let isAsked = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs) {
      open.delete(member(message, 'response', 'request_id'));
      isAsked ||= subtypeOf(message) === 'interrupt';
      return undefined;
    }
    if (isInit(message)) isAsked = false;
    const rpc = member(message, 'request', 'message');
    if (subtypeOf(message) === 'mcp_message' && member(rpc, 'method') === 'tools/call')
      hold(message, member(rpc, 'id'));
    if (member(rpc, 'method') === 'notifications/cancelled') release(member(rpc, 'params', 'requestId'));
    const [left] = message['type'] === 'result' && isAsked ? open.values() : [];
    if (message['type'] === 'result') open.clear();
    return left && { message: 'A call was open at the interrupt, but its server was not notified.', got: left.message };
  });
}

/**
 * Finds changes to a server's tools that the agent did not read. A whole turn passed after the change, and the agent did not request the tools before
 * the session ended.
 */
function unreadChanges(session: Session): Broken | undefined {
  const readsChanges = session.received.some(({ message }) =>
    [message['capabilities'], member(payloadOf(message), 'capabilities')].some((names) =>
      listOf(names).includes('sdk_mcp_tools_list_changed'),
    ),
  );
  if (!readsChanges || !session.isComplete) return undefined;
  const lists = byKeys(
    messagesToServers(session).filter(({ method }) => method === 'tools/list'),
    ({ server }) => [server],
  );
  // An agent may read the tools after its answer. If its input ends before that, nobody can answer its requests.
  const lastTurn = initsOf(session).at(-1)?.at ?? -1;
  const hasEnded = (firstAfter(resultsOf(session), lastTurn)?.at ?? Infinity) < endOfInput(session);
  const exchanges = exchangesOf(session);
  const lastChanges = new Map<unknown, Exchange | undefined>();
  const lastChangeOf = (server: unknown) => {
    const isOf = ({ subtype, request }: Exchange) =>
      subtype === 'mcp_set_servers' ||
      ((subtype === 'mcp_toggle' || subtype === 'mcp_reconnect') && request['serverName'] === server);
    if (!lastChanges.has(server)) lastChanges.set(server, exchanges.findLast(isOf));
    return lastChanges.get(server);
  };
  const mayBeGone = (server: unknown, from: number) => {
    const last = lastChangeOf(server);
    return last !== undefined && !(last.at < from && last.payload !== undefined && keepsServer(last, server));
  };
  return firstOf(exchanges, ({ subtype, request, asked, at }) => {
    const isChange = member(request, 'message', 'method') === 'notifications/tools/list_changed';
    if (subtype !== 'mcp_message' || !isChange || !hasEnded || lastTurn <= at) return undefined;
    const server = request['server_name'];
    const read = lists.get(server) ?? [];
    const isKnown = (read[0]?.at ?? Infinity) < asked;
    const isRead = (read.at(-1)?.at ?? -1) > asked;
    return isKnown && !isRead && !mayBeGone(server, asked)
      ? { message: `The agent did not request the changed tools from ${shortJson(server)}.` }
      : undefined;
  });
}

/** Whether the agent has the server and uses it after a request about servers that succeeds. */
function keepsServer({ subtype, request }: Exchange, server: unknown): boolean {
  if (subtype === 'mcp_set_servers') return Object.keys(request['servers'] ?? {}).includes(String(server));
  return subtype === 'mcp_toggle' && request['enabled'] === true;
}

const OF_SERVERS = new Set(['mcp_set_servers', 'mcp_toggle', 'mcp_reconnect', 'initialize']);

/** Finds turns whose tools are not those of the last list that a server has sent, if the agent has certainly read this list. */
function otherTools(session: Session): Broken | undefined {
  if (['--tools', '--allowedTools', '--disallowedTools'].some((flag) => hasFlag(session, flag))) return undefined;
  const lists = byKeys(
    askedExchangesOf(session).filter(({ request }) => member(request, 'message', 'method') === 'tools/list'),
    ({ request }) => [request['server_name']],
  );
  const exchanges = spansOf(exchangesOf(session));
  const changes = exchangesOf(session).flatMap(({ subtype, asked }) =>
    OF_SERVERS.has(String(subtype)) ? [asked] : [],
  );
  const lastChange = changes.reduce((last, asked) => Math.max(last, asked), -1);
  const forbidden = forbiddenTools(session);
  const requests = byKeys(messagesToServers(session).filter(isOfList), ({ server }) => [server]);
  return firstOf(session.received, ({ message, at }) => {
    if (!isInit(message)) return undefined;
    return firstOf(listOf(message['mcp_servers']), (listed) => {
      const server = member(listed, 'name');
      const last = lastBefore(lists.get(server) ?? [], at);
      if (last === undefined || member(listed, 'status') !== 'connected') return undefined;
      // The agent has answered a request that was sent after the list.
      const isRead = exchanges.hasWithin(last.at, at);
      const isAskedAgain = (firstAfter(requests.get(server) ?? [], last.asked)?.at ?? Infinity) < at;
      const mayChange = isAskedAgain || lastChange > last.asked;
      const tools = member(last.payload, 'mcp_response', 'result', 'tools');
      if (!isRead || mayChange || !Array.isArray(tools)) return undefined;
      const prefix = toolPrefixOf(server);
      // An agent may leave out tools that a rule forbids.
      const mayBeForbidden = (name: string) =>
        forbidden.some((each) => each.at < at && isAbout(each.tool, name, prefix));
      const wanted = tools
        .map((tool) => prefix + String(member(tool, 'name')))
        .filter((name) => listOf(message['tools']).includes(name) || !mayBeForbidden(name))
        .toSorted();
      const got = listOf(message['tools']).flatMap((name) => (String(name).startsWith(prefix) ? [String(name)] : []));
      return shortJson(got.toSorted(), 5000) === shortJson(wanted, 5000)
        ? undefined
        : {
            message: `tools in system/init contains ${shortJson(got)} of the server ${shortJson(server)}, whose list is ${shortJson(wanted)}.`,
            got: message,
          };
    });
  });
}

/** The tools that answers of the host forbid with a rule, or the servers whose tools are forbidden. */
function forbiddenTools({ sent }: Session): readonly { readonly tool: unknown; readonly at: number }[] {
  return sent.flatMap(({ message, at }) => {
    const payload = payloadOf(message);
    const updates = [payload, member(payload, 'hookSpecificOutput', 'decision')].flatMap((each) =>
      listOf(member(each, 'updatedPermissions')),
    );
    const denials = updates.filter((update) => member(update, 'behavior') === 'deny');
    return denials.flatMap((update) =>
      listOf(member(update, 'rules')).map((rule) => ({ tool: member(rule, 'toolName'), at })),
    );
  });
}

/** Whether a rule for a tool or a server is about a tool of the server with a prefix. */
function isAbout(ruled: unknown, tool: string, prefix: string): boolean {
  return ruled === tool || prefix === `${String(ruled)}__`;
}

function isOfList({ method }: { readonly method: unknown }): boolean {
  return method === 'initialize' || method === 'tools/list';
}
