/** What `testTransport` uses of vitest, on any platform. Takes the place of `vitest` in a bundle. */
import { chai, customMatchers, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const { expect } = chai;
Object(expect).extend(expect, customMatchers);

interface Test {
  readonly title: string;
  readonly run: (context: { skip(reason: string): never }) => Promise<void>;
}

export interface Outcome {
  readonly title: string;
  /** The stack of the error, if the test failed. */
  readonly failed?: string;
  /** The reason, if the test was skipped. */
  readonly skipped?: string;
}

class Skipped extends Error {}

const tests: Test[] = [];
let suite = '';

export function describe(name: string, declare: () => void): void {
  suite = name;
  declare();
}

export function test(name: string, _options: object, run: Test['run']): void {
  tests.push({ title: `${suite}: ${name}`, run });
}

/** The lines that list the points of the contract are for people who watch the tests. */
export function afterAll(): void {}

/** Runs all tests that were declared, one after the other. */
export async function runAll(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { title, run } of tests.splice(0)) outcomes.push({ title, ...(await outcomeOf(run)) });
  return outcomes;
}

async function outcomeOf(run: Test['run']): Promise<Omit<Outcome, 'title'>> {
  try {
    await run({
      skip(reason) {
        throw new Skipped(reason);
      },
    });
    return {};
  } catch (error) {
    if (error instanceof Skipped) return { skipped: error.message };
    return { failed: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) };
  }
}
