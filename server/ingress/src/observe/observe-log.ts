import { type EventLog, EventLogError } from '../log/event-log.ts';
import type { IngressObserver } from './observer.ts';

/** Returns a log that reports its appends to the observer. Without an observer, returns the log itself. */
export function observeLog(log: EventLog, observer: IngressObserver | undefined): EventLog {
  if (observer?.appended === undefined) return log;
  const append: EventLog['append'] = async (...args) => {
    const begun = performance.now();
    const report = (events: number, duplicates: number, error?: EventLogError['code']) =>
      observer.appended?.({ events, duplicates, ms: performance.now() - begun, error });
    try {
      const appended = await log.append(...args);
      const duplicates = appended.filter(({ duplicate }) => duplicate).length;
      report(appended.filter(({ taken }) => taken !== true).length - duplicates, duplicates);
      return appended;
    } catch (error) {
      report(0, 0, EventLogError.is(error) ? error.code : 'failed');
      throw error;
    }
  };
  // All other members are those of the log itself, including members that a store has in addition to the interface.
  return new Proxy(log, {
    get(target, name) {
      if (name === 'append') return append;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
