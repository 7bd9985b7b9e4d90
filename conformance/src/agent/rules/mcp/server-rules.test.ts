import { expect, test } from 'vitest';

import { asked, ran, registered, request, success, waits } from '../broken-decisions.test-support.ts';
import {
  answer,
  answered,
  begins,
  breaks,
  init,
  result,
  session,
  sets,
  states,
  toServer,
} from '../sessions.test-support.ts';

const lab = { name: 'lab', status: 'connected' };
const lists = (id: string, ...names: readonly string[]) => [
  toServer(id, { id, method: 'tools/list' }),
  success(id, { mcp_response: { jsonrpc: '2.0', id, result: { tools: names.map((name) => ({ name })) } } }),
];
const status = (servers: readonly object[]) => [
  request('m1', 'mcp_status'),
  answer('m1', { subtype: 'success', response: { mcpServers: servers } }),
];
/** A session to which a later `initialize` adds a server. */
const added = [init(), request('a', 'initialize'), answer('a', { subtype: 'success', response: {} }), result()];
const succeeded = { subtype: 'success', response: {} };
const removed = { subtype: 'success', response: { added: [], removed: ['lab'], errors: {} } };
const adds = [
  request('b', 'initialize', { sdkMcpServers: ['lab'] }),
  answer('b', { subtype: 'success', response: {} }),
];
/** The agent answers a request that was sent after everything before it. */
const answersLater = [sets('set_model', {}), registered];

test('a server of a later initialize may be missing until the agent has connected to it (MCP-3)', () => {
  const connected = [...lists('s1', 'add'), ...answersLater];
  const turn = [init(), result()];
  expect(breaks('mcp/all-in-init', session([...added, ...adds, ...turn, ...turn, ...turn]))).toBe(false);
  expect(breaks('mcp/all-in-init', session([...added, ...adds, ...turn, ...connected, ...turn]))).toBe(false);
  expect(breaks('mcp/all-in-init', session([...added, ...adds, ...connected, ...turn, ...turn]))).toBe(true);
});

test('a server of a second initialize before the first turn may be missing in this turn (MCP-3)', () => {
  const log = session([...added.slice(1, 3), waits('p1'), ...adds, init(), answered()]);
  expect(breaks('mcp/all-in-init', log)).toBe(false);
});

test('a server of an initialize that arrives in a turn may be missing in this turn (MCP-3)', () => {
  const log = (...parts: readonly object[]) => session([...parts, init(), result()]);
  expect(breaks('mcp/all-in-init', log(states('running'), ...adds))).toBe(false);
  expect(breaks('mcp/all-in-init', log(...adds, states('running')))).toBe(true);
});

test('a disabled server that was removed may be enabled when it is added again (MCP-29)', () => {
  const toggles = [request('c', 'mcp_toggle', { serverName: 'lab', enabled: false }), answer('c', succeeded)];
  const removes = [request('d', 'mcp_set_servers', { servers: {} }), answer('d', removed)];
  const again = [request('e', 'initialize', { sdkMcpServers: ['lab'] }), answer('e', succeeded)];
  const turn = [begins({ tools: ['mcp__lab__add'], mcp_servers: [lab] }), result()];
  expect(breaks('mcp/disabled-tools', session([...adds, ...toggles, ...removes, ...again, ...turn]))).toBe(false);
  expect(breaks('mcp/disabled-tools', session([...adds, ...toggles, ...again, ...turn]))).toBe(true);
});

test('the answer to mcp_status may lack a server to which the agent still connects (CTL-36)', () => {
  expect(breaks('mcp/all-in-status', session([...added, ...adds, ...status([])]))).toBe(false);
  const connected = [...lists('s1', 'add'), ...answersLater];
  const log = session([...added, ...adds, ...connected, begins({ mcp_servers: [lab] }), result(), ...status([])]);
  expect(breaks('mcp/all-in-status', log)).toBe(true);
});

test('an agent may leave out a tool that a rule of the host denies (MCP-41)', () => {
  const denial = { type: 'addRules', behavior: 'deny', rules: [{ toolName: 'mcp__lab__add' }], destination: 'session' };
  const log = (tools: readonly string[]) =>
    session([
      ...lists('s1', 'add', 'add__all'),
      ...asked,
      success('q1', { behavior: 'allow', updatedPermissions: [denial] }),
      ran,
      result(),
      ...status([]),
      begins({ tools, mcp_servers: [lab] }),
      result(),
    ]);
  expect(breaks('mcp/listed-tools', log(['mcp__lab__add__all']))).toBe(false);
  expect(breaks('mcp/listed-tools', log(['mcp__lab__add', 'mcp__lab__add__all']))).toBe(false);
  expect(breaks('mcp/listed-tools', log(['mcp__lab__add']))).toBe(true);
});
