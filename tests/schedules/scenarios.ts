import { createMemoryPair } from '@proto/core/transport';
import type { Scenario } from '@proto/test-support';
import {
  permissionOrder,
  permissionRace,
} from '../../packages/agent/src/permissions/permission-races.scenario.test-support.ts';
import { turns } from '../../packages/agent/src/turns.scenario.test-support.ts';
import { questionOrder, questionRace } from '../../packages/host/src/questions/question-races.scenario.test-support.ts';
import { outboundPiped } from '../../packages/core/src/session/outbound-piped.scenario.test-support.ts';
import { outboundRead } from '../../packages/core/src/session/outbound-read.scenario.test-support.ts';
import { pendingRequests } from '../../packages/core/src/session/pending-requests.scenario.test-support.ts';
import { remoteEditor } from './editor/remote-editor.ts';
import { remoteViews } from './views/remote-views.ts';
import { remoteSession } from './remote/remote-session.ts';
import { openWorld } from '../simulation/world.ts';
import { transportScenario } from './transport-scenario.ts';

// The limit is so small that a held link soon makes senders wait.
const memory = transportScenario('memory transport', ['hold', 'release'], () => {
  const { hold, release, ...pair } = createMemoryPair({ maxIncomingBytes: 60 });
  return { ...pair, faults: { hold, release }, mend: release };
});

// The clients and the server are simulated. `pnpm simulate` adds faults of nodes and of the store to these schedules.
const simulated = (schedule: readonly string[]) => openWorld({ seed: schedule.join('\n'), nodes: 1 });

/** All scenarios that `pnpm schedules` runs. A transport joins with its own `transportScenario`. */
export const scenarios: readonly Scenario[] = [
  outboundRead,
  outboundPiped,
  pendingRequests,
  permissionRace,
  permissionOrder,
  questionRace('hold'),
  questionRace('deny'),
  questionOrder('hold'),
  questionOrder('deny'),
  turns,
  memory,
  remoteSession('remote session', simulated),
  remoteSession('remote session with sockets', simulated, { sockets: true }),
  remoteEditor,
  remoteViews,
] as readonly Scenario[];
