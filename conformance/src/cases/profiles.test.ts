import { describe, expect, test } from 'vitest';

import { PROFILE_OF_CASE, PROFILE_OF_SUBJECT, profileOf, profilesOfSide } from './profiles.ts';
import { isSelected, loadSuite } from './suite.ts';

const { cases } = loadSuite();

describe('the tables of profiles', () => {
  test('contain each case file of agents and hosts', () => {
    const files = new Set(cases.flatMap(({ id, side }) => (side === 'server' ? [] : [id.split('/', 2).join('/')])));
    const listed = Object.entries(PROFILE_OF_SUBJECT).flatMap(([side, subjects]) =>
      Object.keys(subjects).map((subject) => `${side}/${subject}`),
    );
    expect(listed.toSorted()).toEqual([...files].toSorted());
  });

  test('name only cases that exist, and only one profile for a case', () => {
    const names = Object.keys(PROFILE_OF_CASE);
    expect(names.filter((name) => !cases.some((entry) => isSelected(entry, name)))).toEqual([]);
    expect(cases.filter((entry) => names.filter((name) => isSelected(entry, name)).length > 1)).toEqual([]);
  });
});

describe('the profile of a case', () => {
  test('exists on each side', () => {
    expect(profilesOfSide('agent')).toEqual(['core', 'sessions', 'permissions', 'hooks', 'mcp']);
    expect(profilesOfSide('host')).toEqual(['core', 'sessions', 'permissions', 'hooks', 'mcp']);
    expect(profilesOfSide('server')).toEqual(['remote']);
  });

  test('is core only if the case needs nothing but a prompt', () => {
    const core = cases.filter((entry) => profileOf(entry) === 'core');
    const needs = new Set(core.flatMap((entry) => entry.needs.map((need) => `${entry.side} ${need}`)));
    expect([...needs].filter((need) => need !== 'agent prompt.text').toSorted()).toEqual([
      'host messages',
      'host open-input',
    ]);
    expect(core.filter(({ side }) => side === 'agent').length).toBeGreaterThan(80);
  });

  test.each([
    ['core', 'agent/turns/one-result'],
    ['core', 'agent/command-line/version'],
    ['sessions', 'agent/command-line/unknown-flag'],
    ['sessions', 'agent/turns/no-turn-of-the-model'],
    ['sessions', 'agent/control/served-while-a-turn-runs'],
    ['permissions', 'agent/control/first-response-counts'],
    ['permissions', 'agent/permissions/waits-for-the-answer'],
    ['hooks', 'agent/control/first-response-to-a-hook'],
    ['mcp', 'agent/control/servers-of-the-first-prompt'],
    ['mcp', 'host/framing/answers-do-not-mix'],
  ])('%s for %s', (profile, id) => {
    const found = cases.find((entry) => entry.id === id);
    expect(found && profileOf(found)).toBe(profile);
  });

  test('is core for a case of a user that needs nothing', () => {
    expect(profileOf({ id: 'agent/mine/echoes', side: 'agent', spec: ['TRN-10'], needs: [] })).toBe('core');
  });
});
