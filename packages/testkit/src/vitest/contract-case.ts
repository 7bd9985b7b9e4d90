import type { CaseContext } from './case-context.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

/** The features of a transport that a case needs in addition to `open`. */
export type Need =
  | 'anyLine'
  | 'backPressure'
  | 'breaks'
  | 'connecting'
  | 'cut'
  | 'endsTogether'
  | 'forget'
  | 'asked'
  | 'givesUp'
  | 'halfClose'
  | 'inject'
  | 'notify'
  | 'reconnect'
  | 'released'
  | 'silence';

/** The test for one promise of the contract. */
export interface ContractCase {
  /** The point of the contract, 1 to 12. */
  readonly point: number;
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Rejects if the transport breaks the promise. */
  run(context: CaseContext): Promise<void>;
}

/** Returns why a case does not apply to a transport; undefined if it applies. */
export function whyNot({ needs = [] }: ContractCase, transport: TransportUnderTest<TransportPair>): string | undefined {
  for (const need of needs) {
    const reason = reasons[need](transport);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const cannotCut = 'the test provides no way to cut its link';
const doesNotReconnect = 'does not reconnect';

const reasons: Readonly<Record<Need, (transport: TransportUnderTest<TransportPair>) => string | undefined>> = {
  anyLine: ({ messagesOnly }) => unless(!messagesOnly, 'a server between its ends accepts only messages'),
  backPressure: ({ backPressure }) => unless(backPressure, 'no back pressure'),
  breaks: ({ cut, reconnect }) => unless(cut, cannotCut) ?? unless(!reconnect, 'reconnects when its link is cut'),
  connecting: ({ connecting }) => unless(connecting, 'the test provides no transport that stays connecting'),
  cut: ({ cut }) => unless(cut, cannotCut),
  endsTogether: ({ sessionOutlives }) => unless(!sessionOutlives, 'the session outlives its ends'),
  forget: ({ reconnect }) =>
    unless(reconnect, doesNotReconnect) ?? unless(reconnect?.forget, 'the test provides no way to forget'),
  asked: ({ reconnect }) =>
    unless(reconnect, doesNotReconnect) ?? unless(reconnect?.asked, 'the test does not count what is requested'),
  givesUp: ({ givesUpWithinMs }) => unless(givesUpWithinMs, 'it waits for its reader'),
  halfClose: ({ halfClose }) => unless(halfClose, 'no half-close'),
  inject: ({ inject }) => unless(inject, 'the test provides no way to inject lines'),
  notify: ({ notify }) => unless(notify, 'no notices in addition to its messages'),
  reconnect: ({ reconnect }) => unless(reconnect, doesNotReconnect),
  released: ({ released }) => unless(released, 'the test provides no way to look at what it holds'),
  silence: ({ silence }) => unless(silence, 'it has no link that can become silent'),
};

function unless(given: unknown, reason: string): string | undefined {
  return given === undefined || given === false ? reason : undefined;
}
