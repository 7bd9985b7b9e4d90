import { ControlError } from '@proto/core';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { UnsupportedCapabilityError } from '../errors.ts';
import { CAPABILITIES, hostAndPuppet, settled } from '../puppet-agent.test-support.ts';

/** A host whose agent has started a turn and reported its capabilities: first a part, then all. */
async function hostAndAgent({ initialize, init }: { initialize?: string[]; init?: string[] }) {
  const { host, puppet } = hostAndPuppet({}, { initialize: false });
  puppet.succeed(await puppet.asked('initialize'), { ...CAPABILITIES, capabilities: initialize });
  await host.initialized;
  puppet.say({ type: 'system', subtype: 'init', capabilities: init });
  await settled();
  const asked = (subtype: string) => puppet.frames.some(({ request }) => Object(request).subtype === subtype);
  return { host, puppet, asked };
}

verifies(
  'CALL-19',
  'a request that the agent cannot serve rejects at once and is not sent, and the error names the capability',
  async () => {
    const { host, asked } = await hostAndAgent({
      initialize: ['mcp_read_resource_v1'],
      init: ['interrupt_receipt_v1'],
    });
    expect([...(host.capabilities ?? [])].sort()).toEqual(['interrupt_receipt_v1', 'mcp_read_resource_v1']);
    const error = await host.interrupt({ cancelQueued: true }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ControlError', code: 'unsupported_capability', subtype: 'interrupt' });
    expect(UnsupportedCapabilityError.is(error)).toBe(true);
    expect(error).toMatchObject({ capability: 'interrupt_cancel_queued_v1', since: '2.1.328' });
    await expect(host.request('reload_plugins', { refuse_if_busy: true })).rejects.toMatchObject({
      capability: 'reload_plugins_refuse_if_busy_v1',
    });
    await settled();
    expect([asked('interrupt'), asked('reload_plugins')]).toEqual([false, false]);
    // Requests without that option are sent, and so are requests whose capability only the initialize answer named.
    void host.interrupt().catch(() => {});
    void host.request('reload_plugins').catch(() => {});
    void host.request('mcp_read_resource', { serverName: 's', uri: 'u' }).catch(() => {});
    await settled();
    expect([asked('interrupt'), asked('reload_plugins'), asked('mcp_read_resource')]).toEqual([true, true, true]);
  },
);

verifies('CALL-19', 'a request is sent if the agent has not reported all its capabilities', async () => {
  const { host, puppet } = hostAndPuppet({}, { initialize: false });
  puppet.succeed(await puppet.asked('initialize'), { ...CAPABILITIES, capabilities: ['ui_surface_v1'] });
  await host.initialized;
  // The list in the answer contains only a part of the capabilities.
  expect(host.capabilities).toBeUndefined();
  void host.interrupt({ cancelQueued: true }).catch(() => {});
  await puppet.asked('interrupt');
  const silent = await hostAndAgent({});
  expect(silent.host.capabilities).toBeUndefined();
  void silent.host.interrupt({ cancelQueued: true }).catch(() => {});
  await silent.puppet.asked('interrupt');
});

test('UnsupportedCapabilityError.is refuses other errors', () => {
  expect([new Error('no'), new ControlError('no'), undefined].map(UnsupportedCapabilityError.is)).toEqual([
    false,
    false,
    false,
  ]);
});
