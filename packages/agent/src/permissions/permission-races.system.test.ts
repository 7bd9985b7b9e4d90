import { verifies } from '@proto/test-support/verifies';
import { holdsForAny } from '@proto/test-support';
import { permissionOrder, permissionRace } from './permission-races.scenario.test-support.ts';

verifies(
  ['PERMIT-16', 'PERMIT-1'],
  'a permission under 10 000 random schedules has one outcome, and is allowed only by an allow',
  () => holdsForAny(permissionRace, 10_000),
  { timeout: 60_000 },
);

verifies(
  ['HOK-23', 'HOK-25'],
  'a permission under 2 000 random schedules with pauses is decided by the first decision',
  () => holdsForAny(permissionOrder, 2000),
  { timeout: 60_000 },
);
