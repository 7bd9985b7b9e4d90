import type { CaseResult, Question } from '../results/result.ts';
import { shapeOf } from './differing-parts.ts';

/** Groups the differences of all sessions, the most frequent first. Differences that differ only in numbers and texts are one question. */
export function questionsOf(results: readonly CaseResult[]): Question[] {
  const groups = new Map<string, Question>();
  for (const { id, differences = [] } of results) {
    const isSeen = new Set<string>();
    for (const difference of differences) {
      const key = JSON.stringify([difference.fact, shapeOf(difference.tested), shapeOf(difference.other)]);
      const group = groups.get(key) ?? { ...difference, count: 0, sessions: 0, example: id };
      const sessions = group.sessions + (isSeen.has(key) ? 0 : 1);
      isSeen.add(key);
      groups.set(key, { ...group, count: group.count + 1, sessions });
    }
  }
  return [...groups.values()].toSorted((a, b) => b.sessions - a.sessions || b.count - a.count);
}
