export { isWorkerAddress } from './bridge-worker.ts';
export { bridge, type Bridge, type BridgeEnd, type BridgeOptions, type BridgeSide } from './bridge.ts';
export type { StoppedBy } from './bridge-exit.ts';
export {
  aboutHost,
  checkProgram,
  type Endpoint,
  type EndpointOptions,
  isOwnStdio,
  isProgram,
  openEndpoint,
  type ProgramOptions,
  startProgram,
} from './endpoint.ts';
export {
  type BridgeEvent,
  type HostAddress,
  runBridge,
  type RunBridgeOptions,
  type RunningBridge,
} from './run-bridge.ts';
export { type ClientServer, serveClients, type ServeClientsOptions } from './serve-clients.ts';
export { createTap, type FileTap, type Tap } from './tap.ts';
