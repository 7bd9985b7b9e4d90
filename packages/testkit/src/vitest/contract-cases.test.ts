import { createMemoryPair } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { type Need, whyNot } from './contract-case.ts';
import { contractCases } from './contract-cases.ts';
import type { TransportUnderTest } from './transport-under-test.ts';

test('every point of the contract has a case, and no two cases share a name', () => {
  const points = new Set(contractCases.map(({ point }) => point));
  expect([...points].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const names = contractCases.map(({ point, title }) => `${point} ${title}`);
  expect(new Set(names).size).toBe(names.length);
});

const bare: TransportUnderTest = {
  name: 'bare',
  open() {
    const { host, agent } = createMemoryPair();
    return { local: host, remote: agent };
  },
  halfClose: false,
  backPressure: false,
};

test.each<[Need, string]>([
  ['backPressure', 'the transport has no back pressure'],
  ['halfClose', 'the transport has no half-close'],
  ['givesUp', 'the transport waits for its reader without a limit'],
  ['breaks', 'the test provides no way to cut the link'],
  ['cut', 'the test provides no way to cut the link'],
  ['inject', 'the test provides no way to inject lines'],
  ['notify', 'the transport sends no notices'],
  ['connecting', 'the test provides no transport that stays connecting'],
  ['released', 'the test provides no way to see which resources the transport holds'],
  ['reconnect', 'the transport does not reconnect'],
  ['forget', 'the transport does not reconnect'],
  ['asked', 'the transport does not reconnect'],
  ['silence', 'the transport has no link that can become silent'],
])('a case that needs %s is left out with the reason: %s', (need, reason) => {
  expect(whyNot({ point: 1, title: '', needs: [need], run: async () => {} }, bare)).toBe(reason);
});

test('ends of a session that outlives them do not end together', () => {
  const endsTogether = { point: 6, title: '', needs: ['endsTogether'] as const, run: async () => {} };
  expect(whyNot(endsTogether, bare)).toBeUndefined();
  expect(whyNot(endsTogether, { ...bare, sessionOutlives: true })).toBe(
    'the session continues after its ends have closed',
  );
});

test('a line that is not a message does not pass a server that takes messages only', () => {
  const anyLine = { point: 7, title: '', needs: ['anyLine'] as const, run: async () => {} };
  expect(whyNot(anyLine, bare)).toBeUndefined();
  expect(whyNot(anyLine, { ...bare, messagesOnly: true })).toBe('a server between the two ends accepts only messages');
});

test('a transport that reconnects does not break when its link is cut', () => {
  const reconnect = { reachable() {}, refuse() {} };
  const given = (need: Need) => whyNot({ point: 1, title: '', needs: [need], run: async () => {} }, under);
  const under: TransportUnderTest = { ...bare, cut() {}, reconnect };
  expect([given('breaks'), given('cut'), given('reconnect')]).toEqual([
    'the transport reconnects when its link is cut',
    undefined,
    undefined,
  ]);
  expect([given('forget'), given('asked')]).toEqual([
    'the test provides no way to make the server forget the session',
    'the test does not count the requests for an address, headers and a token',
  ]);
});
