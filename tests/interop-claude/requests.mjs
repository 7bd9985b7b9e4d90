import assert from 'node:assert/strict';

/** Scenarios of requests from the host to the agent. Each scenario gets its lab. */
export const REQUESTS = {
  async set_model({ script, host, all, requests }) {
    script('one', 'two');
    const session = host({}, { model: 'claude-sonnet-5-5' });
    await session.prompt('first').accepted;
    await all(session.untilResult());
    await session.request('set_model', { model: 'claude-opus-5-5' });
    await session.prompt('second').accepted;
    const init = (await all(session.untilResult())).find(({ subtype }) => subtype === 'init');
    assert.equal(init.model, 'claude-opus-5-5');
    assert.deepEqual(
      requests().map(({ body }) => body.model),
      ['claude-sonnet-5-5', 'claude-opus-5-5'],
    );
    await session.close();
  },

  async set_permission_mode({ script, host, all }) {
    script('planned');
    const session = host();
    assert.equal((await session.request('set_permission_mode', { mode: 'plan' })).mode, 'plan');
    await session.prompt('first').accepted;
    const init = (await all(session.untilResult())).find(({ subtype }) => subtype === 'init');
    assert.equal(init.permissionMode, 'plan');
    await assert.rejects(session.request('set_permission_mode', { mode: 'no mode' }), { code: 'invalid_mode' });
    await session.close();
  },

  async 'requests while a turn runs'({ script, host, all }) {
    script({ content: ['Once upon ', { wait: new Promise(() => {}) }] });
    const session = host();
    await session.prompt('Write a story').accepted;
    const answers = await Promise.all([
      session.request('mcp_status', {}),
      session.request('get_context_usage', {}),
      session.request('get_settings', {}),
    ]);
    assert.deepEqual(answers[0], { mcpServers: [] });
    await session.interrupt();
    await all(session.untilResult());
    await session.close();
  },

  async 'a request it does not know'({ host }) {
    const session = host();
    await assert.rejects(session.request('no_such_thing'), { code: 'unsupported_request' });
    await session.close();
  },
};
