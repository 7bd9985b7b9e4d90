import { expect, test, vi } from 'vitest';
import type { InProcessMcpServer, McpMessage, McpTransport } from './mcp-link.ts';
import { CAPABILITIES, hostAndPuppet, request, result, settled } from '../puppet-agent.test-support.ts';

/** A server with one tool, which answers the requests of the agent. */
function labServer(answer: (message: McpMessage) => object | undefined = () => ({})) {
  const received: McpMessage[] = [];
  const lab = {
    transport: undefined as McpTransport | undefined,
    async connect(transport: McpTransport) {
      lab.transport = transport;
      await transport.start();
      transport.onmessage = (message: McpMessage) => {
        received.push(message);
        const { id, method } = message;
        if (id === undefined || method === undefined) return;
        const results: Record<string, object | undefined> = {
          initialize: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'lab', version: '1' },
          },
          'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
        };
        const result = results[method as string] ?? answer(message);
        if (result !== undefined) void transport.send({ jsonrpc: '2.0', id, result });
      };
    },
  };
  return { lab, received };
}

const toAgent = (id: string, message: object, server = 'lab') =>
  request(id, { subtype: 'mcp_message', server_name: server, message: { jsonrpc: '2.0', ...message } });

test('initialize contains the handshake of each server, so that the agent need not ask', async () => {
  const { lab, received } = labServer();
  const { host, puppet } = hostAndPuppet({ mcpServers: { lab } });
  const { uuid } = host.prompt('after initialize');
  await puppet.received((frame) => frame['uuid'] === uuid);
  expect(puppet.frames.map(({ type }) => type)).toEqual(['control_request', 'user']);
  expect(puppet.frames[0]?.['request']).toEqual({
    subtype: 'initialize',
    sdkMcpServers: ['lab'],
    sdkMcpServerManifests: {
      lab: {
        initializeResult: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'lab', version: '1' },
        },
        toolsListResult: { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
      },
    },
  });
  expect(received.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
});

test('a server that fails to connect is announced only by its name, and prompts are sent', async () => {
  const broken: InProcessMcpServer = { connect: () => Promise.reject(new Error('no')) };
  const { host, puppet } = hostAndPuppet({ mcpServers: { broken } });
  await host.prompt('go').accepted;
  expect((await puppet.asked('initialize'))['request']).toEqual({
    subtype: 'initialize',
    sdkMcpServers: ['broken'],
    sdkMcpServerManifests: {},
  });
  puppet.say(
    toAgent('m1', { id: 2, method: 'tools/call' }, 'broken'),
    toAgent('m2', { id: 2, method: 'ping' }, 'nobody'),
  );
  expect(await puppet.answer('m1')).toMatchObject({ subtype: 'error', error: 'no' });
  expect(await puppet.answer('m2')).toMatchObject({ subtype: 'error', error: 'SDK MCP server not found: nobody' });
});

test('each call reaches its server, and each answer reaches its call', async () => {
  const { lab } = labServer(({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params) }] }));
  const { puppet } = hostAndPuppet({ mcpServers: { lab } });
  await puppet.asked('initialize');
  puppet.say(
    toAgent('m1', { id: 2, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } }),
    toAgent('m2', { method: 'notifications/something' }),
    request('m3', { subtype: 'mcp_message', server_name: 'lab', message: 'text' }),
  );
  expect((await puppet.answer('m1'))['response']).toEqual({
    mcp_response: {
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: '{"name":"add","arguments":{"a":1}}' }] },
    },
  });
  expect((await puppet.answer('m2'))['response']).toEqual({ mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } });
  expect(await puppet.answer('m3')).toMatchObject({ subtype: 'error' });
});

test('a cancelled call is answered once', async () => {
  const { lab } = labServer(() => undefined);
  const { host, puppet } = hostAndPuppet({ mcpServers: { lab } });
  await puppet.asked('initialize');
  puppet.say(toAgent('m1', { id: 2, method: 'tools/call' }));
  puppet.say(toAgent('m2', { method: 'notifications/cancelled', params: { requestId: 2, reason: 'x' } }));
  expect((await puppet.answer('m1'))['response']).toMatchObject({ mcp_response: { id: 2, error: { code: -32800 } } });
  await lab.transport?.send({ jsonrpc: '2.0', id: 2, result: { late: true } });
  puppet.say(result());
  await host.untilResult().next();
  expect(puppet.answers('m1')).toHaveLength(1);
});

test('requests and notifications of the server go to the agent', async () => {
  const { lab } = labServer();
  const { puppet } = hostAndPuppet({ mcpServers: { lab } });
  await puppet.asked('initialize');
  const sent = lab.transport?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  const asked = await puppet.asked('mcp_message');
  expect(asked['request']).toEqual({
    subtype: 'mcp_message',
    server_name: 'lab',
    message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  });
  puppet.succeed(asked);
  await sent;
});

test('servers can be replaced, and the former servers are closed', async () => {
  const { lab } = labServer();
  const { host, puppet } = hostAndPuppet({ mcpServers: { lab } });
  await host.initialized;
  const onclose = vi.fn();
  (lab.transport as McpTransport).onclose = onclose;
  const other = labServer(() => ({ other: true })).lab;
  const set = host.setMcpServers({ other });
  const asked = await puppet.asked('mcp_set_servers');
  expect(asked['request']).toEqual({
    subtype: 'mcp_set_servers',
    servers: { other: { type: 'sdk', name: 'other' } },
  });
  puppet.succeed(asked, { added: ['other'], removed: ['lab'], errors: {} });
  expect(await set).toEqual({ added: ['other'], removed: ['lab'], errors: {} });
  expect(onclose).toHaveBeenCalledOnce();
  puppet.say(toAgent('m1', { id: 5, method: 'tools/call' }, 'other'));
  expect((await puppet.answer('m1'))['response']).toMatchObject({ mcp_response: { result: { other: true } } });
});

test('initialize can be sent again with the same content', async () => {
  const { lab } = labServer();
  const { host, puppet } = hostAndPuppet({ mcpServers: { lab }, dialogs: { survey: () => null } });
  await host.initialized;
  const again = host.reinitialize();
  const second = await puppet.received((frame) => frame.type === 'control_request' && frame !== puppet.frames[0]);
  expect(second['request']).toEqual(puppet.frames[0]?.['request']);
  puppet.succeed(second, { ...CAPABILITIES, output_style: 'other' });
  expect((await again).output_style).toBe('other');
});

test('calls to a server that was replaced or closed are answered with an error', async () => {
  const { lab } = labServer(() => undefined);
  const { host, puppet } = hostAndPuppet({ mcpServers: { lab } });
  await puppet.asked('initialize');
  puppet.say(toAgent('m1', { id: 2, method: 'tools/call' }));
  await vi.waitFor(() => expect(host.state).toBeDefined());
  await settled();
  await lab.transport?.close();
  expect((await puppet.answer('m1'))['response']).toMatchObject({ mcp_response: { id: 2, error: { code: -32000 } } });
  puppet.say(toAgent('m2', { id: 3, method: 'tools/call' }));
  expect((await puppet.answer('m2'))['response']).toMatchObject({ mcp_response: { id: 3, error: { code: -32000 } } });
  await host.endInput();
});

test('a notification of a server does not wait until the agent acknowledges it', async () => {
  const { lab } = labServer();
  const { puppet } = hostAndPuppet({ mcpServers: { lab } });
  await puppet.asked('initialize');
  await lab.transport?.send({ jsonrpc: '2.0', method: 'notifications/progress' });
  await puppet.asked('mcp_message');
});
