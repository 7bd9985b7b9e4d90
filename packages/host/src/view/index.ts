/** A session as something to show: a store for user interfaces, without a framework. */
export { createSessionView, type SessionView, type SessionViewOptions, type ViewEvent } from './session-view.ts';
export type * from './snapshot.ts';
