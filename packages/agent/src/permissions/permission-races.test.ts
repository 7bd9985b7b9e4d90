import { verifies } from '@proto/requirements';
import { holdsForAny } from '@proto/test-support';
import { permissionOrder, permissionRace } from './permission-races.scenario.test-support.ts';

verifies(
  ['R-8.6', 'R-23.1'],
  '10 000 random schedules: one outcome each, and an allow only where one was given',
  () => holdsForAny(permissionRace, 10_000),
  { timeout: 60_000 },
);

verifies(
  'S2-33',
  '2 000 random schedules with time between the steps: the first to decide has decided',
  () => holdsForAny(permissionOrder, 2000),
  { timeout: 60_000 },
);
