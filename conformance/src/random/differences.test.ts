import { expect, test } from 'vitest';

import { differencesBetween } from './differences.ts';

const runs = (...values: readonly [Record<string, string>, Record<string, string>]) =>
  values.map((each) => new Map(Object.entries(each))) as unknown as readonly [Map<string, string>, Map<string, string>];
const always = (facts: Record<string, string>) => runs(facts, facts);

test('a fact that is the same in both runs of each program is compared', () => {
  const tested = always({ 'answer to set_model #1': 'success', 'exit #1': 'code 0' });
  const other = always({ 'answer to set_model #1': 'error', 'exit #1': 'code 0' });
  expect(differencesBetween(tested, other)).toEqual([
    { fact: 'answer to set_model', tested: 'success', other: 'error' },
  ]);
});

test('a fact that differs between two runs of one program is left out', () => {
  const steady = always({ 'answer to set_model #1': 'success', 'calls of a hook': '2' });
  const racing = runs(
    { 'answer to set_model #1': 'error', 'calls of a hook': '3' },
    { 'answer to set_model #1': 'error invalid_request', 'calls of a hook': '4' },
  );
  expect(differencesBetween(steady, racing)).toEqual([]);
  expect(differencesBetween(racing, steady)).toEqual([]);
});

test('a thing that did not exist in a run is not compared', () => {
  const [both] = always({ 'answer to interrupt #1': 'success' });
  expect(differencesBetween([both, both], always({}))).toEqual([]);
  expect(differencesBetween([both, new Map()], always({ 'answer to interrupt #1': 'error' }))).toEqual([]);
});

test('a fact about the whole session that a program does not have is none', () => {
  expect(differencesBetween(always({ 'calls of a hook': '2' }), always({}))).toEqual([
    { fact: 'calls of a hook', tested: '2', other: 'none' },
  ]);
  expect(differencesBetween(runs({ 'calls of a hook': '2' }, {}), always({}))).toEqual([]);
});

test('of two JSON objects, only the members that differ are shown, and long texts are shortened', () => {
  const answer = (value: object) => always({ 'answer to can_use_tool #1': JSON.stringify(value) });
  const long = 'x'.repeat(500);
  const tested = answer({ behavior: 'allow', updatedInput: { command: long, timeout: 1 }, toolUseID: 'toolu_1' });
  const other = answer({ behavior: 'allow', updatedInput: { command: 'y', timeout: 1 } });
  expect(differencesBetween(tested, other)).toEqual([
    {
      fact: 'answer to can_use_tool',
      tested: JSON.stringify({
        updatedInput: { command: `${'x'.repeat(60)}… (500 characters)` },
        toolUseID: 'toolu_1',
      }),
      other: JSON.stringify({ updatedInput: { command: 'y' } }),
    },
  ]);
});
