// What a store of events needs: the promises of `EventLog`, and the rules that all stores have in common. `testEventLog` of `@proto/ingress/vitest`
// tests a store.
export * from './log/event-log.ts';
export {
  claimedName,
  isCounted,
  pageOf,
  type Placement,
  placementOf,
  readLimitDefaults,
  refusalOf,
  storeFull,
} from './log/store-rules.ts';
export { Tails } from './log/tails.ts';
