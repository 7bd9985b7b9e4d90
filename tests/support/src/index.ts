export { freePort } from './free-port.ts';
export { growth, leastCpuOf, MOST_GROWTH } from './growth.ts';
export { holdsForAny, outcomeOf, quiet, type Scenario } from './scenario.ts';
export { failure, scriptHost, success, watchedSignal } from './scripted-host.ts';
