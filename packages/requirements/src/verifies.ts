import { test, type TestOptions } from 'vitest';

import { programsDuring } from './built-programs.ts';
import { citingName, label } from './citation.ts';
import { rows } from './rows.ts';

/** Vitest's options of a test. Not `fails`: a known failure has to show in the name, so it goes through `verifies.fails`. */
export type VerifiesOptions = Omit<TestOptions, 'fails'>;

/** Registers a test that decides one row or several, given by their ids. */
export type RegisterVerification = (
  id: string | readonly string[],
  sentence: string,
  body: () => void | Promise<void>,
  options?: VerifiesOptions,
) => void;

const labels: ReadonlyMap<string, string> = new Map(rows.map((row) => [row.id, label(row)]));

function labelOf(id: string): string {
  const found = labels.get(id);
  if (found === undefined) throw new Error(`requirements: ${id} is no row`);
  return found;
}

function register(fails: boolean): RegisterVerification {
  return (id, sentence, body, options) => {
    const ids = typeof id === 'string' ? [id] : id;
    if (ids.length === 0) throw new Error(`requirements: "${sentence}" cites no row`);
    test(citingName(ids.map(labelOf), sentence, fails), { ...options, fails }, async ({ task }) => {
      const programs = await programsDuring(task.concurrent === true, body);
      // Vitest leaves it in the results, where the report looks for it.
      Object.assign(task.meta, { programs });
    });
  };
}

/**
 * Registers a vitest test named `[S2-11 order/request-never-overtakes][R-5.1 framing/linear-time] sentence`, which the report reads as the proof of
 * these rows. `verifies.fails` marks a known failure: the test passes as long as its body fails.
 *
 * Whether a test shows its rows end to end is observed, not claimed: the test has to pass while a built program of ours (`packages/cli/dist/*.js`) runs as a
 * process that the test, or a hook of its file, has started.
 *
 * @throws Error where an id is no row, and where no id is given.
 */
export const verifies: RegisterVerification & { readonly fails: RegisterVerification } = Object.assign(
  register(false),
  { fails: register(true) },
);
