// What you need to write an event store: the contract `EventLog`, and the rules that all stores share. `testEventLog` of `@proto/ingress/vitest`
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
