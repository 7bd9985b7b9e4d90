export { bridge, type Bridge, type BridgeOptions, type BridgeSide } from './bridge.ts';
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
export { type ClientServer, serveClients, type ServeClientsOptions } from './serve-clients.ts';
export { createTap, type FileTap, type Tap } from './tap.ts';
