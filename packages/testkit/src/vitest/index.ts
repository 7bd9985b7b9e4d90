export { testTransport } from './test-transport.ts';
export type {
  ReconnectControls,
  SilenceControls,
  TransportPair,
  TransportUnderTest,
} from './transport-under-test.ts';
export { useCassette } from './use-cassette.ts';
