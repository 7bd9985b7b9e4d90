import { verifies } from '@proto/requirements';
import { holdsForAny } from '@proto/test-support';
import { questionOrder, questionRace } from './question-races.scenario.test-support.ts';

const LIMIT = { timeout: 120_000 };

verifies(
  'R-8.6',
  'a question under 10 000 random schedules of callback, other answer, cancel and disconnect has one outcome',
  () => holdsForAny(questionRace('hold'), 10_000),
  LIMIT,
);

verifies(
  ['R-8.5', 'R-8.6'],
  'a question has one outcome if a disconnect denies, and with time between the steps the first decision applies',
  async () => {
    await holdsForAny(questionRace('deny'), 2000);
    await holdsForAny(questionOrder('hold'), 2000);
    await holdsForAny(questionOrder('deny'), 2000);
  },
  LIMIT,
);
