/** Tests the check that the conformance suite uses only what the specification defines: each kind of name, and each citation, can be refused. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const { contractProblems, repeatedIds, undefinedNames, unknownCitations } = await import(
  new URL('../../scripts/spec/contract.mjs', import.meta.url).href
);
const { definedNames } = await import(new URL('../../scripts/spec/defined-names.mjs', import.meta.url).href);

const folder = fileURLToPath(new URL('../../spec', import.meta.url));
const defined = definedNames(folder);
const problems = (steps: object[], start: object = {}): string[] =>
  undefinedNames([{ id: 'agent/turns/one', start, steps }], defined);

test('the suite has no problem', () => {
  const requirements = JSON.parse(readFileSync(new URL('../../spec/requirements.json', import.meta.url), 'utf8'));
  expect(contractProblems(folder, requirements)).toEqual([]);
});

describe('a name that the text does not define is a problem', () => {
  test.each<[string, object[], object?]>([
    ['flag "--modle"', [{ run: { args: ['--modle=large'] } }]],
    ['flag "--modle"', [], { args: ['--modle', 'large'] }],
    ['environment variable "CLAUDE_CODE_COLOR"', [], { env: { CLAUDE_CODE_COLOR: '1' } }],
    ['name "set_modle"', [{ request: { subtype: 'set_modle' } }]],
    ['name "hook_calback"', [{ serve: { 'hook_calback/one': {} } }]],
    ['name "tools/lists"', [{ expect: { request: { message: { method: { '$one-of': ['tools/lists'] } } } } }]],
    ['member "PreTolUse"', [], { initialize: { hooks: { PreTolUse: [] } } }],
    ['member "sesion_id"', [{ 'expect-none': { sesion_id: { $any: true } } }]],
    ['member "sesion_id"', [{ 'at-once': [{ post: [{ sesion_id: '' }] }] }]],
    ['query parameter "afer"', [{ http: 'GET S/events?afer=3' }]],
    ['query parameter "from_sequence"', [{ open: 'v', query: 'from_sequence=3' }]],
    ['path "S/worker/hartbeat"', [{ http: 'POST /v1/code/sessions/${session}/worker/hartbeat' }]],
    ['header "last-event"', [{ http: 'GET S/events', headers: { 'Last-Event': '3' } }]],
    ['method of an adapter "interupt"', [{ call: 'interupt', as: 'call' }]],
  ])('%s', (name, steps, start) => {
    expect(problems(steps, start)).toEqual([expect.stringContaining(`uses the ${name}, which`)]);
  });
});

test.each<[string, object]>([
  ['names that say that nothing defines them', { request: { subtype: 'no_such_request', x_member: { anything: 1 } } }],
  ['names that every object of JavaScript has', { request: { subtype: 'toString', constructor: {} } }],
  ['what belongs to a tool', { say: { request: { subtype: 'can_use_tool', input: { anything: 1 } } } }],
  ['what a user enters into a form', { answer: 'question', with: { action: 'accept', content: { anything: 1 } } }],
  ['names of servers', { request: { subtype: 'mcp_set_servers', servers: { anything: { type: 'sdk' } } } }],
])('%s may be anything', (_title, step) => {
  expect(problems([step])).toEqual([]);
});

test('two requests with one id are a problem, unless the second goes to another process', () => {
  const ask = { say: { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } } };
  const repeated = (...steps: object[]) => repeatedIds([{ id: 'agent/turns/one', start: {}, steps }]);
  expect(repeated(ask, ask)).toEqual(['agent/turns/one sends two requests with the id "r1".']);
  expect(repeated(ask, { 'start-again': {} }, ask)).toEqual([]);
});

test('a citation of a requirement that does not exist is a problem', () => {
  const sources = new Map([['rules.ts', "{ spec: 'TRN-1' }, { spec: 'TRN-999' }"]]);
  expect(unknownCitations(sources, [{ id: 'TRN-1' }])).toEqual([
    'rules.ts cites TRN-999, which is not in the specification.',
  ]);
});
