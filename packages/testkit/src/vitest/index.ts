export { testTransport } from './test-transport.ts';
export type {
  ReconnectControls,
  SilenceControls,
  TransportPair,
  TransportUnderTest,
} from './transport-under-test.ts';
export type { Cassette, WithCassetteOptions } from '../cassettes/with-cassette.ts';
export { withCassette } from './with-cassette.ts';
