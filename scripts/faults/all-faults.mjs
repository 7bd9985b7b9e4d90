import { agent } from './agent.mjs';
import { core } from './core.mjs';
import { host } from './host.mjs';
import { ingress } from './ingress.mjs';
import { network } from './network.mjs';
import { notify } from './notify.mjs';
import { processes } from './processes.mjs';
import { schedules } from './schedules.mjs';
import { tools } from './tools.mjs';
import { view } from './view.mjs';

/** Every fault of `pnpm faults`. */
export const faults = [
  ...core,
  ...host,
  ...agent,
  ...processes,
  ...network,
  ...ingress,
  ...notify,
  ...tools,
  ...view,
  ...schedules,
];
