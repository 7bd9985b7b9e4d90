import { test, type TestOptions } from 'vitest';

import { programsDuring } from './built-programs.ts';

const scripts = new URL('../../../scripts/requirements/', import.meta.url);
const { readList } = await import(new URL('list.mjs', scripts).href);
const { citingName } = await import(new URL('citation.mjs', scripts).href);

/** Vitest's options of a test. Not `fails`: a known failure has to show in the name, so it goes through `verifies.fails`. */
export type VerifiesOptions = Omit<TestOptions, 'fails'>;

/** Registers a test that decides one requirement or promise or several, given by their ids. */
export type RegisterVerification = (
  id: string | readonly string[],
  sentence: string,
  body: () => void | Promise<void>,
  options?: VerifiesOptions,
) => void;

const listed: ReadonlySet<string> = new Set(readList().map(({ id }: { readonly id: string }) => id));

function register(fails: boolean): RegisterVerification {
  return (id, sentence, body, options) => {
    const ids = typeof id === 'string' ? [id] : id;
    if (ids.length === 0) throw new Error(`verifies: "${sentence}" cites no id`);
    for (const each of ids) {
      if (!listed.has(each)) throw new Error(`verifies: ${each} is neither in spec/ nor in docs/promises.md`);
    }
    test(citingName(ids, sentence, fails), { ...options, fails }, async ({ task }) => {
      const programs = await programsDuring(task.concurrent === true, body);
      // Vitest writes it to the results, where the report finds it.
      Object.assign(task.meta, { programs });
    });
  };
}

/**
 * Registers a vitest test named `[CTL-7][QUEUE-3] sentence`, which `pnpm requirements` reads as the proof of these requirements of the specification and
 * promises of docs/promises.md. `verifies.fails` marks a known failure: the test passes as long as its body fails.
 *
 * Whether a test shows them end to end is observed, not claimed: the test has to pass while a built program of ours (`packages/cli/dist/*.js`) runs as a
 * process that the test, or a hook of its file, has started.
 *
 * @throws Error where an id is in neither list, and where no id is given.
 */
export const verifies: RegisterVerification & { readonly fails: RegisterVerification } = Object.assign(
  register(false),
  { fails: register(true) },
);
