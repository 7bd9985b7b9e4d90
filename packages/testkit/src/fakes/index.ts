export { AgentMessages, INITIALIZE_ANSWER } from './agent-messages.ts';
export { type FakeChaos } from './chaos.ts';
export { createFakeAgent, createFakeHost, type Fake, type FakeEnd, type FakeOptions, playFake } from './fake.ts';
export { createRealClock, createVirtualClock, type FakeClock, type VirtualClock } from './fake-clock.ts';
export { type FakeProcess, type FakeProgramOptions, runFakeProgram } from './fake-program.ts';
export {
  type FakeScript,
  FakeScriptError,
  type FakeSide,
  type FakeStep,
  parseFakeScript,
} from './fake-script.ts';
export type { FakeWire } from './fake-wire.ts';
export { type InstalledFake, installFakeAgent, type InstallFakeOptions } from './install-fake.ts';
