import { describe, expect, test } from 'vitest';

import { loadSuite } from '../cases/suite.ts';
import { fixtureAfter } from './agents.test-support.ts';
import { Declared } from './declared.ts';
import type { AgentProfile } from './probe-agent.ts';

const flags = [...new Set(loadSuite().cases.flatMap(({ needs }) => needs.filter((need) => need.startsWith('flag.'))))];

/** What the suite finds out about flags of an agent whose `--help` lists none. */
function declaredBy(code: string): Declared {
  const profile: AgentProfile = {
    promptMap: 'fixture',
    version: '',
    prompts: {},
    capabilities: new Set(),
    help: '',
    reportsStates: false,
    answersInitialize: true,
    startMs: 0,
    turnMs: 0,
    isGuessed: false,
    answersPrompts: true,
    failures: [],
  };
  return new Declared(profile, { command: fixtureAfter(code), args: [] }, 1);
}

describe('an agent whose --help lists no flags', () => {
  test.each(flags)('has %s if it starts with this flag', async (flag) => {
    expect(await declaredBy('').missing([flag])).toBeUndefined();
  });

  test('does not have a flag that it refuses', async () => {
    const refuses = declaredBy("if (process.argv.includes('--model')) process.exit(1);");
    expect(await refuses.missing(['flag.max-turns', 'flag.model'])).toBe('The agent does not declare flag.model.');
  });
});
