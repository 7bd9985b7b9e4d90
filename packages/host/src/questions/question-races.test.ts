import { verifies } from '@proto/requirements';
import { holdsForAny } from '@proto/test-support';
import { questionOrder, questionRace } from './question-races.scenario.test-support.ts';

const LIMIT = { timeout: 120_000 };

verifies(
  'R-8.6',
  '10 000 random schedules: callback, another answer, cancel and disconnect in any order and tick have one outcome',
  () => holdsForAny(questionRace('hold'), 10_000),
  LIMIT,
);

verifies(
  ['R-8.5', 'R-8.6'],
  'the same where a disconnect refuses, and 2000 each with time between the steps: the first to decide has decided',
  async () => {
    await holdsForAny(questionRace('deny'), 2000);
    await holdsForAny(questionOrder('hold'), 2000);
    await holdsForAny(questionOrder('deny'), 2000);
  },
  LIMIT,
);
