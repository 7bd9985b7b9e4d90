import type { NewEvent } from '../log/event-log.ts';

/** An event of the given id; its payload is so many characters of JSON, and the id by default. */
export function event(id: string, size = 0): NewEvent {
  return { id, type: 'user', source: 'client', payload: JSON.stringify(id.padEnd(Math.max(0, size - 2), '.')) };
}

/** Events with the ids `prefix1` to `prefixN`. */
export function events(count: number, prefix = 'e'): NewEvent[] {
  return Array.from({ length: count }, (_, index) => event(`${prefix}${index + 1}`));
}
