/** Connects a host and an agent through a server over every pair of transports: the scenarios are the same. */
import type { AgentCommand } from '@proto/host';
import type { Transport } from '@proto/core/transport';
import { afterAll } from 'vitest';
import { startIngress } from '../remote/remote-session.ts';
import {
  makeSession,
  type RemoteSession,
  viewerBySocket,
  viewerByStream,
  workerBySocket,
  workerByStream,
} from '../remote/remote-pair.ts';
import { endingAtLastMessage, announcingTheEnd } from './across-a-log.ts';
import { beReferenceAgent } from './reference-agent.ts';
import { testScenarios } from './scenarios.ts';

const server = await startIngress();
afterAll(() => server.close());

type Connect = (session: Promise<RemoteSession>) => Transport;

/** Creates a new session for each launch. */
function through(view: Connect, work: Connect): (launch: AgentCommand) => Transport {
  return ({ args }) => {
    const session = makeSession(server.url);
    const archive = () => void session.then((made) => made.archive()).catch(() => {});
    const agent = work(session);
    const host = view(session);
    void beReferenceAgent(endingAtLastMessage(agent), args)
      .then(() => agent.close())
      .then(archive);
    void host.closed.then(archive);
    return announcingTheEnd(host);
  };
}

testScenarios('WebSockets through the ingress', through(viewerBySocket, workerBySocket));
testScenarios('event streams through the ingress', through(viewerByStream, workerByStream));
testScenarios('a WebSocket here and an event stream there', through(viewerBySocket, workerByStream));
