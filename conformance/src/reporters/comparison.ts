import type { Report } from '../results/result.ts';

// With the blank line, the heading and the last line, the section has at most 20 lines.
const MOST_SHOWN = 17;

/** What the program under test does differently from another program. Empty if the sessions were not compared. */
export function comparisonLines({ comparison, results }: Pick<Report, 'comparison' | 'results'>): string {
  if (comparison === undefined) return '';
  const { program, sessions, questions } = comparison;
  const compared = `${sessions} of ${results.length} sessions were compared with ${program}`;
  if (questions.length === 0) return `\n${compared}. The programs do the same.\n\n`;
  const lines = questions
    .filter((_question, at) => at < MOST_SHOWN)
    .map(
      ({ fact, tested, other, count, sessions: shown, example }) =>
        `  ${times(count, 'difference')} in ${times(shown, 'session')}: ${fact}: ${tested}; other program: ${other} (${example})\n`,
    );
  const rest = questions.length > MOST_SHOWN ? `  … and ${questions.length - MOST_SHOWN} more\n` : '';
  return `\n${compared}. Differences, which are not failures, in the most sessions first:\n${lines.join('')}${rest}\n`;
}

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
