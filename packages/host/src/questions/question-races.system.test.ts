import { verifies } from '@proto/test-support/verifies';
import { holdsForAny } from '@proto/test-support';
import { questionOrder, questionRace } from './question-races.scenario.test-support.ts';

const LIMIT = { timeout: 120_000 };

verifies(
  'PERMIT-16',
  'a question under 10 000 random schedules of callback, other answer, cancel and disconnect has one outcome',
  () => holdsForAny(questionRace('hold'), 10_000),
  LIMIT,
);

verifies(
  ['PERMIT-15', 'PERMIT-16'],
  'a question has one outcome if a disconnect denies, and with time between the steps the first decision applies',
  async () => {
    await holdsForAny(questionRace('deny'), 2000);
    await holdsForAny(questionOrder('hold'), 2000);
    await holdsForAny(questionOrder('deny'), 2000);
  },
  LIMIT,
);
