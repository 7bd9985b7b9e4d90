import type { Transport } from '@proto/core/transport';
import { describe, expect, test } from 'vitest';
import * as ends from './broken/broken-ends.test-support.ts';
import * as receiving from './broken/broken-receiving.test-support.ts';
import * as shapes from './broken/broken-shapes.test-support.ts';
import * as sending from './broken/broken-sending.test-support.ts';
import { whyNot } from './contract-case.ts';
import { contractCases, runCase } from './contract-cases.ts';
import { memory } from './memory.test-support.ts';
import { resumingTransport } from './resuming/resuming-pair.test-support.ts';
import type { Fault } from './resuming/resuming-end.test-support.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

const LIMITS = { patienceMs: 500, quietMs: 20, floodBytes: 1024 * 1024 };

const broken: Readonly<Record<number, readonly (new (inner: Transport) => Transport)[]>> = {
  1: [receiving.ForgetsWhatCameEarly],
  2: [sending.SendsBackwards, sending.ThrowsFromSend, sending.DoesNotWaitForTheLink, receiving.HandsOutManyBackwards],
  3: [sending.TakesEverything, receiving.StoresWithoutLimit],
  4: [receiving.SharesWhatItRead, receiving.KnowsOneAlphabet, receiving.LosesByteOrderMarks, receiving.DropsWhatIsBig],
  5: [sending.RejectsWithItsOwnError, sending.SendsWhatWasWithdrawn, sending.LeavesItsListener],
  6: [
    receiving.EndsWhereItShouldThrow,
    receiving.ThrowsAgain,
    receiving.DropsWhatCameBeforeTheEnd,
    receiving.CanBeIteratedTwice,
    receiving.StaysOpenWhenTheLoopIsLeft,
    receiving.ClosesWithItsPeer,
    receiving.StopsReceivingAtEnd,
  ],
  7: [receiving.DiesOfABadLine, receiving.HidesWhatItLost, receiving.DropsWhatIsNoMessage],
  8: [
    ends.LeavesSendsPending,
    ends.LeavesTheIterationPending,
    ends.LeavesSendsPendingWhenTheLinkBreaks,
    ends.ClosesOnce,
    ends.WaitsForALinkToClose,
    ends.CannotCloseAfterEnd,
    ends.CannotAbortAfterEnd,
    ends.DisposesOfNothing,
    ends.DropsWhatItWasHandedOver,
  ],
  9: [ends.IsClosedTooEarly, ends.SettlesItsSendsLate],
  12: [
    shapes.HasASetter,
    shapes.HasAnAccessor,
    shapes.TakesAFlag,
    shapes.HasHalfAWorker,
    receiving.HidesTheNews,
    receiving.DelaysTheNews,
  ],
};

const faults: Readonly<Record<number, readonly Fault[]>> = {
  9: ['keeps its timer'],
  10: [
    'repeats',
    'does not send again',
    'does not say that it is up again',
    'claims to have resumed',
    'insists',
    'asks once',
    'goes back',
  ],
  11: ['does not listen'],
};

// A case that hangs uses the whole time limit.
describe.concurrent('each broken transport fails at its own point and at no other', { timeout: 60_000 }, () => {
  for (const [point, wrappers] of Object.entries(broken)) {
    for (const Wrapper of wrappers) {
      test(`${point} ${Wrapper.name}`, async () => {
        const failed = [
          ...(await failures(around(memory, Wrapper))),
          ...(await failures(around(resumingTransport(), Wrapper))),
        ];
        expect(pointsOf(failed), failed.join('\n')).toEqual([Number(point)]);
      });
    }
  }
  for (const [point, list] of Object.entries(faults)) {
    for (const fault of list) {
      test(`${point} a transport that ${fault}`, async () => {
        const failed = await failures(resumingTransport(fault));
        expect(pointsOf(failed), failed.join('\n')).toEqual([Number(point)]);
      });
    }
  }
});

// The wrapped transports wait for their reader. This is allowed if `givesUpWithinMs` is absent.
test('8 a transport that waits for ever although it claims to give up', { timeout: 60_000 }, async () => {
  const patient = { ...memory, givesUpWithinMs: 2 * LIMITS.patienceMs };
  const failed = await failures(patient);
  expect([pointsOf(failed), failed.length], failed.join('\n')).toEqual([[8], 1]);
  expect(await failures(around(patient, ends.GivesUp))).toEqual([]);
});

test('the transports that they wrap pass every case', { timeout: 60_000 }, async () => {
  expect([await failures(memory), await failures(resumingTransport())]).toEqual([[], []]);
});

/** The same transport, with the end under test replaced. */
function around<Pair extends TransportPair>(
  under: TransportUnderTest<Pair>,
  Wrapper: new (inner: Transport) => Transport,
): TransportUnderTest<Pair> {
  const connecting = under.connecting?.bind(under);
  return {
    ...under,
    async open() {
      const pair = await under.open();
      return { ...pair, local: new Wrapper(pair.local) };
    },
    ...(connecting !== undefined && { connecting: async () => new Wrapper(await connecting()) }),
  };
}

/** Runs every case that applies to the transport. Returns the cases that failed. */
async function failures<Pair extends TransportPair>(under: TransportUnderTest<Pair>): Promise<string[]> {
  const outcomes = contractCases.map(async (contractCase) => {
    if (whyNot(contractCase, under) !== undefined) return [];
    try {
      await runCase(contractCase, under, LIMITS);
      return [];
    } catch (error) {
      return [`${contractCase.point} ${contractCase.title}: ${String(error)}`];
    }
  });
  return (await Promise.all(outcomes)).flat();
}

function pointsOf(failed: readonly string[]): number[] {
  return [...new Set(failed.map((text) => Number.parseInt(text, 10)))].sort((a, b) => a - b);
}
