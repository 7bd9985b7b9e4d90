import type { CaseContext } from './case-context.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

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

export interface ContractCase {
  /** The point of the contract, 1 to 12. */
  readonly point: number;
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Rejects if the transport violates this guarantee of the contract. */
  run(context: CaseContext): Promise<void>;
}

/** Returns `undefined` if the case applies. */
export function whyNot({ needs = [] }: ContractCase, transport: TransportUnderTest<TransportPair>): string | undefined {
  for (const need of needs) {
    const reason = reasons[need](transport);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const cannotCut = 'the test provides no way to cut the link';
const doesNotReconnect = 'the transport does not reconnect';

const reasons: Readonly<Record<Need, (transport: TransportUnderTest<TransportPair>) => string | undefined>> = {
  anyLine: ({ messagesOnly }) => unless(!messagesOnly, 'a server between the two ends accepts only messages'),
  backPressure: ({ backPressure }) => unless(backPressure, 'the transport has no back pressure'),
  breaks: ({ cut, reconnect }) =>
    unless(cut, cannotCut) ?? unless(!reconnect, 'the transport reconnects when its link is cut'),
  connecting: ({ connecting }) => unless(connecting, 'the test provides no transport that stays connecting'),
  cut: ({ cut }) => unless(cut, cannotCut),
  endsTogether: ({ sessionOutlives }) => unless(!sessionOutlives, 'the session continues after its ends have closed'),
  forget: ({ reconnect }) =>
    unless(reconnect, doesNotReconnect) ??
    unless(reconnect?.forget, 'the test provides no way to make the server forget the session'),
  asked: ({ reconnect }) =>
    unless(reconnect, doesNotReconnect) ??
    unless(reconnect?.asked, 'the test does not count the requests for an address, headers and a token'),
  givesUp: ({ givesUpWithinMs }) => unless(givesUpWithinMs, 'the transport waits for its reader without a limit'),
  halfClose: ({ halfClose }) => unless(halfClose, 'the transport has no half-close'),
  inject: ({ inject }) => unless(inject, 'the test provides no way to inject lines'),
  notify: ({ notify }) => unless(notify, 'the transport sends no notices'),
  reconnect: ({ reconnect }) => unless(reconnect, doesNotReconnect),
  released: ({ released }) => unless(released, 'the test provides no way to see which resources the transport holds'),
  silence: ({ silence }) => unless(silence, 'the transport has no link that can become silent'),
};

function unless(given: unknown, reason: string): string | undefined {
  return given === undefined || given === false ? reason : undefined;
}
