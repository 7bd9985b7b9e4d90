import type * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { type DeclaredMember, wrongFor } from './type-reader.test-support.ts';
import { hookInputs, hookSpecificOutputs } from '../hooks/input-and-output.ts';
import { flattenIssues } from '../../drift/zod-issues.ts';
import { HOOK_EVENTS } from '../../messages/hook-events.ts';
import { declared, formsOf, inventory, sampleOf } from './inventory.test-support.ts';
import { controlRequests, controlResponses, REQUESTS_OF_AGENTS } from './requests.ts';

// Members that are declared as required, but that existing peers omit.
const LEFT_OUT = new Set([
  'interrupt answer/still_queued', // agents before 0.3.205 send an empty receipt
  'mcp_message answer/mcp_response', // an agent only acknowledges
  'can_use_tool answer/message', // some hosts omit empty texts
  'hook_callback answer/async', // an answer that is not marked as async is a synchronous answer
]);
// The members that distinguish the forms of an answer are closed enumerations.
const CLOSED = new Set(['behavior', 'hook_event_name']);

const DIRECTIONS = { 'host->agent': 'from-host', 'agent->host': 'from-agent', both: 'both' };

/** Compares a schema with the declared members. */
function compare(title: string, schema: z.ZodMiniType, members: readonly DeclaredMember[], base: object = {}) {
  const sample = { ...base, ...sampleOf(members) };
  const issuesOf = (value: unknown) => flattenIssues(schema.safeParse(value).error?.issues ?? []);

  test(`${title} passes with all members, and with only the required members`, () => {
    expect(issuesOf(sample)).toEqual([]);
    expect(issuesOf({ ...base, ...sampleOf(members.filter(({ optional }) => !optional)) })).toEqual([]);
  });

  test.each(members.filter(({ optional }) => !optional))(`${title} requires $name`, ({ name }) => {
    const { [name]: _, ...rest } = sample as Record<string, unknown>;
    const issues = issuesOf(rest);
    if (LEFT_OUT.has(`${title}/${name}`)) expect(issues).toEqual([]);
    else expect(issues).toContainEqual(expect.objectContaining({ path: [name] }));
  });

  const typed = members.filter(({ name, type }) => name !== 'async' && wrongFor(declared(type)) !== undefined);
  test.each(typed)(`${title} refuses a wrong type of $name`, ({ name, type }) => {
    const issues = issuesOf({ ...sample, [name]: wrongFor(declared(type)) });
    expect(issues).toContainEqual(expect.objectContaining({ path: [name] }));
  });

  const enums = members.filter(({ name, type }) => declared(type).names.length > 0 && !CLOSED.has(name));
  test.each(enums)(`${title} accepts each known $name, and an unknown one`, ({ name, type }) => {
    for (const known of declared(type).names) expect(issuesOf({ ...sample, [name]: known })).toEqual([]);
    expect(issuesOf({ ...sample, [name]: 'not-known-yet' })).toEqual([]);
  });
}

describe('control requests', () => {
  test('are the declared and the seen requests, each with its sender', () => {
    const listed = [...inventory.controlRequests, ...inventory.unpublishedControlRequests];
    const directions = listed.map(({ subtype, direction }) => [subtype, DIRECTIONS[direction]]);
    const known = Object.keys(controlRequests).map((subtype) => [subtype, REQUESTS_OF_AGENTS[subtype] ?? 'from-host']);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(directions));
    expect(Object.keys(controlResponses).filter((subtype) => !(subtype in controlRequests))).toEqual([]);
  });

  for (const { subtype, requestFields, responseFields } of inventory.controlRequests) {
    compare(subtype, controlRequests[subtype as keyof typeof controlRequests], requestFields, { subtype });
    const answer = controlResponses[subtype as keyof typeof controlResponses];
    const forms = formsOf(responseFields ?? []);
    if (forms.length > 0) for (const members of forms) compare(`${subtype} answer`, answer, members);
  }

  test.each(inventory.unpublishedControlRequests)('$subtype passes with the members that were seen, and with any other', (request) => {
    const { subtype, requestFieldsSeen } = request;
    const schema = controlRequests[subtype as keyof typeof controlRequests];
    const seen = Object.fromEntries(requestFieldsSeen.map((name) => [name.replace('?', ''), ['any', 'thing']]));
    const value = { subtype, ...seen, more: 1 };
    expect(schema.safeParse(value)).toEqual({ success: true, data: value });
    expect(schema.safeParse({ subtype }).success).toBe(true);
    expect(schema.safeParse({ subtype: 'other' }).success).toBe(false);
  });
});

describe('hooks', () => {
  test('exist for the declared events', () => {
    expect(inventory.hookEvents.map(({ name }) => name)).toEqual([...HOOK_EVENTS]);
    expect(Object.keys(hookInputs).toSorted()).toEqual([...HOOK_EVENTS].toSorted());
  });

  const base = (inventory.sharedTypes['BaseHookInput'] ?? []).filter((member) => 'type' in member);
  const outputs: Readonly<Record<string, z.ZodMiniType>> = hookSpecificOutputs;
  for (const { name, inputFields, specificOutputType, specificOutputFields } of inventory.hookEvents) {
    const own = new Set(inputFields.map((member) => member.name));
    const members = [...base.filter((member) => !own.has(member.name)), ...inputFields];
    compare(`${name} input`, hookInputs[name as keyof typeof hookInputs], members, { hook_event_name: name });
    const output = outputs[name];
    test(`${name} has a specific output if one is declared`, () => {
      expect(output === undefined).toBe((specificOutputType ?? undefined) === undefined);
    });
    if (output !== undefined) compare(`${name} output`, output, specificOutputFields ?? [], { hookEventName: name });
  }
});
