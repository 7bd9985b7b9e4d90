export { ALL_CHAOS, type FakeChaos, SURVIVABLE_CHAOS } from './fakes/chaos.ts';
export { createFakeAgent, createFakeHost, type Fake, type FakeEnd, type FakeOptions, playFake } from './fakes/fake.ts';
export { createRealClock, createVirtualClock, type FakeClock, type VirtualClock } from './fakes/fake-clock.ts';
export { type FakeProcess, type FakeProgramOptions, runFakeProgram } from './fakes/fake-program.ts';
export {
  type FakeScript,
  FakeScriptError,
  type FakeSide,
  type FakeStep,
  parseFakeScript,
} from './fakes/fake-script.ts';
export type { FakeWire } from './fakes/fake-wire.ts';
export { type InstalledFake, installFakeAgent, type InstallFakeOptions } from './fakes/install-fake.ts';
export { type FaultProxy, startFaultProxy } from './fault-proxy/fault-proxy.ts';
export type { Cut, ProxyFaults } from './fault-proxy/proxied-connection.ts';
export { createFaultyWire, type FaultyWireOptions, type WireFault } from './faulty-wire.ts';
export { type LoopbackServer, serveOnLoopback } from './loopback-server.ts';
export type { ApiRequest, MessagesBody } from './messages-api/api-request.ts';
export {
  createMessagesApi,
  DEFAULT_MAX_REQUEST_BYTES,
  DEFAULT_MAX_REQUESTS,
  type MessagesApi,
  type MessagesApiOptions,
  type MessagesScript,
} from './messages-api/messages-api.ts';
export type { ApiError, ErrorReply, MessageReply, Reply, ReplyBlock, ReplyStep } from './messages-api/script.ts';
