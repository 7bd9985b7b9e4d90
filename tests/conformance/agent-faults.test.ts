/** The suite finds every fault of the agent in fixtures/agent.mjs, and names the section of the specification that the fault breaks. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const packageUrl = new URL('../../conformance/', import.meta.url);
const { faults, missedOf } = await import(new URL('scripts/agent-faults.mjs', packageUrl).href);

test('every fault is found by the cases that are named for it', async () => {
  expect(await missedOf(faults)).toEqual([]);
}, 1_200_000);

test('the list has every fault that the agent can show', () => {
  const folder = new URL('fixtures/agent/', packageUrl);
  const text = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const named = Array.from(text.matchAll(/fault\('([^']+)'\)/g), ([, name]) => name);
  const listed = new Set(faults.map(({ fault }: { fault: string }) => fault));
  expect(named.filter((name) => !listed.has(name))).toEqual([]);
  expect(faults.length).toBeGreaterThanOrEqual(120);
});
