import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import type { HostRunOptions } from '../host-program.ts';

type Message = Readonly<Record<string, unknown>>;

export function isRpcNotification({ subtype, message }: Message): boolean {
  return subtype === 'mcp_message' && isObject(message) && message['id'] === undefined;
}

/** Finds an error for a notification from a server that the host has, or a result from a server that it does not have. */
export function wrongServerAnswer(request: Message, { response }: Message, options: HostRunOptions): BrokenRule[] {
  if (request['subtype'] !== 'mcp_message' || !isObject(response)) return [];
  const isOwn = (options.servers ?? []).includes(String(request['server_name']));
  const answer = isObject(response['response']) ? response['response']['mcp_response'] : undefined;
  const cite = (spec: string, message: string) => [{ rule: 'servers', spec, message, got: response }];
  if (isOwn && response['subtype'] === 'error' && isRpcNotification(request))
    return cite('MCP-38', 'A JSON-RPC notification was answered with an error.');
  if (isOwn && isObject(answer) && isObject(answer['result'])) return wrongResult(request, answer['result']);
  const isError = response['subtype'] === 'error' || (isObject(answer) && answer['error'] !== undefined);
  if (isOwn && isError && isEchoCall(request))
    return cite('MCP-35', 'The tool of a server was called, but the host answered with an error.');
  const isResult = isObject(answer) && answer['result'] !== undefined && !isRpcNotification(request);
  return !isOwn && isResult ? cite('MCP-10', 'The host answered for a server that it does not have.') : [];
}

/** Whether a request calls the tool that every server of the user has. */
function isEchoCall({ message }: Message): boolean {
  const { method, params } = isObject(message) ? message : {};
  return method === 'tools/call' && isObject(params) && params['name'] === 'echo' && isObject(params['arguments']);
}

/** Finds a result that another server has given, or that belongs to another call. A server of the user has its own name, and its tool returns its argument. */
function wrongResult({ server_name: name, message }: Message, result: Message): BrokenRule[] {
  const { method, params } = isObject(message) ? message : {};
  const { name: tool, arguments: args } = isObject(params) ? params : {};
  const cite = (text: string) => [{ rule: 'asked-server', spec: 'MCP-35', message: text, got: result }];
  if (method === 'initialize') {
    const { serverInfo } = result;
    return isObject(serverInfo) && serverInfo['name'] !== name
      ? cite(`The server ${shortJson(name)} was asked, but the server ${shortJson(serverInfo['name'])} has answered.`)
      : [];
  }
  if (method !== 'tools/call' || tool !== 'echo' || !isObject(args)) return [];
  const [block] = Array.isArray(result['content']) ? result['content'] : [];
  return isObject(block) && block['text'] === args['text']
    ? []
    : cite(`The tool was called with ${shortJson(args['text'])}, but the answer contains ${shortJson(block)}.`);
}
