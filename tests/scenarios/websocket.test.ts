import { type AgentCommand, query } from '@proto/host';
import type { WireMessage } from '@proto/core/framing';
import { connectUri, createMemoryPair, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { webSocketScheme } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { afterAll, expect } from 'vitest';
import { beReferenceAgent } from './reference-agent.ts';
import { testScenarios } from './scenarios.ts';
import { webSocketAgents } from './web-socket-agents.ts';

const agents = await webSocketAgents();
afterAll(() => agents.close());

/** Runs the agent in this process, and connects the host by sockets. */
function open({ args }: AgentCommand): Transport {
  return connectUri(agents.open(args), [webSocketScheme], { open: openSocket });
}

testScenarios('WebSocket', open);

verifies('LINK-15', 'the URI chooses the transport, and an unknown scheme is an error that names the scheme', () => {
  const connect = (uri: string) => connectUri(uri, [webSocketScheme], { open: openSocket });
  for (const uri of ['ws://127.0.0.1:1', 'wss://127.0.0.1:1']) {
    const transport = connect(uri);
    expect(transport.name).toBe('websocket');
    transport.abort();
  }
  expect(() => connect('ftp://127.0.0.1')).toThrow('Unsupported protocol: ftp:');
});

verifies('LINK-14', 'a program sees the same messages over each transport', async () => {
  const memory = ({ args }: AgentCommand) => {
    const { host, agent } = createMemoryPair();
    void beReferenceAgent(agent, args);
    return host;
  };
  const [near, far] = await Promise.all(
    [memory, open].map(async (transport) => {
      const kinds: unknown[] = [];
      for await (const message of query({ prompt: '/echo hello', transport })) {
        const { type, subtype, result }: WireMessage = message;
        kinds.push([type, subtype, result]);
      }
      return kinds;
    }),
  );
  expect(far).toEqual(near);
  expect(far).toContainEqual(['result', 'success', 'hello']);
});
