import { test, type TestOptions } from 'vitest';

import { citingName } from './citation.ts';
import { rows } from './rows.ts';

/** Vitest's options of a test. Not `fails`: a known failure has to show in the name, so it goes through `verifies.fails`. */
export type VerifiesOptions = Omit<TestOptions, 'fails'>;

/** Registers a test that decides one row or several. */
export type RegisterVerification = (
  id: string | readonly string[],
  sentence: string,
  body: () => void | Promise<void>,
  options?: VerifiesOptions,
) => void;

const known: ReadonlySet<string> = new Set(rows.map((row) => row.id));

function register(fails: boolean): RegisterVerification {
  return (id, sentence, body, options) => {
    const ids = typeof id === 'string' ? [id] : id;
    if (ids.length === 0) throw new Error(`requirements: "${sentence}" cites no row`);
    for (const cited of ids) if (!known.has(cited)) throw new Error(`requirements: ${cited} is no row`);
    test(citingName(ids, sentence, fails), { ...options, fails }, body);
  };
}

/**
 * Registers a vitest test named `[S2-11][R-5.1] sentence`, which the report reads as the proof of those rows. Throws for an id that is no row.
 * `verifies.fails` marks a known failure: the test passes as long as its body fails.
 */
export const verifies: RegisterVerification & { readonly fails: RegisterVerification } = Object.assign(
  register(false),
  { fails: register(true) },
);
