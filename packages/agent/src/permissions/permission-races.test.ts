import { verifies } from '@proto/requirements';
import { holdsForAny } from '@proto/test-support';
import { permissionOrder, permissionRace } from './permission-races.scenario.test-support.ts';

verifies(
  ['R-8.6', 'R-23.1'],
  'a permission under 10 000 random schedules has one outcome, and is allowed only by an allow',
  () => holdsForAny(permissionRace, 10_000),
  { timeout: 60_000 },
);

verifies(
  'S2-33',
  'a permission under 2 000 random schedules with pauses is decided by the first decision',
  () => holdsForAny(permissionOrder, 2000),
  { timeout: 60_000 },
);
