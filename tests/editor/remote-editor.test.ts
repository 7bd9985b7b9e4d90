/** An editor whose sessions are on a server, with the published client library. `tests/schedules/editor` does the same under random faults. */
import { RequestError } from '@agentclientprotocol/sdk';
import { openSession } from '@proto/remote';
import { serveEditor } from '@proto/terminal/editor';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test } from 'vitest';
import { EditorLife } from '../schedules/editor/editor-life.ts';
import { EditorWorld } from '../schedules/editor/editor-world.ts';

/** A server with a session in which an agent has answered a prompt, and which has no editor any more. */
async function answeredSession() {
  const world = await EditorWorld.open();
  onTestFinished(() => world.close());
  const enter = async (sessionId: string, how: 'load' | 'resume' = 'load') => {
    const editor = new EditorLife(world.sessions('sse'));
    onTestFinished(() => editor.close());
    await editor.enter(sessionId, how);
    return editor;
  };
  const first = new EditorLife(world.sessions('ws'));
  const id = await first.create();
  world.startAgent(id);
  world.agent.order('says');
  void first.prompt('one').catch(() => {});
  await world.until(() => first.shown.length === 1, 'the first text');
  return { world, id, first, enter };
}

verifies(
  'EDITOR-15',
  'an editor that loads a session gets what happened while no editor was there, and what follows',
  async () => {
    const { world, id, first, enter } = await answeredSession();
    first.close();
    world.agent.order('says', 'says');
    await world.untilLog(id, (all) => all.includes('agent text 3'));
    const second = await enter(id);
    const past = ['user one', 'agent text 1', 'agent text 2', 'agent text 3'];
    expect(second.shown).toEqual(past);
    world.agent.order('says', 'ends', 'says', 'ends');
    await second.prompt('two');
    expect(second.shown).toEqual([...past, 'agent text 4', 'agent text 5']);
  },
);

verifies(
  'EDITOR-15',
  'an editor that resumes a session gets what follows, and the calls without a result',
  async () => {
    const { world, id, first, enter } = await answeredSession();
    world.agent.order('calls');
    await world.until(() => first.open.size === 1, 'the question');
    first.close();
    const second = await enter(id, 'resume');
    expect(second.shown).toEqual(['begin call 1']);
    await world.until(() => second.open.size === 1, 'the question again');
    second.allow();
    world.agent.order('says', 'ends');
    await world.until(() => second.shown.length === 3, 'the result');
    expect(second.shown).toEqual(['begin call 1', 'completed call 1', 'agent text 2']);
  },
);

verifies(
  'EDITOR-16',
  'a permission that no editor has answered is asked for again, after the answer to the load',
  async () => {
    const { world, id, first, enter } = await answeredSession();
    world.agent.order('calls', 'ends');
    await world.until(() => first.open.size === 1, 'the question');
    first.close();
    const second = await enter(id);
    await world.until(() => second.open.size === 1, 'the question again');
    const [opening, question] = ['the answer that opens the session', 'session/request_permission'];
    expect(second.received.filter((each) => each === opening || each === question)).toEqual([opening, question]);
    second.allow();
    await world.untilLog(id, (all) => all.includes('completed call 1'));
  },
);

verifies('EDITOR-16', 'an editor that cannot show a question does not answer it', async () => {
  const { world, id, first, enter } = await answeredSession();
  world.agent.order('calls', 'ends');
  await world.until(() => first.open.size === 1, 'the question');
  first.refuse(RequestError.methodNotFound('session/request_permission'));
  const second = await enter(id);
  await world.until(() => second.open.size === 1, 'the question again');
  second.allow();
  await world.untilLog(id, (all) => all.includes('completed call 1'));
});

test('sessions are listed, and a deleted session is archived', async () => {
  const { world, id } = await answeredSession();
  const { conversations, open } = world.sessions('sse');
  expect(await conversations?.list('/work')).toMatchObject([{ sessionId: id, cwd: '/work' }]);
  await conversations?.delete(id);
  expect(await conversations?.list('/work')).toEqual([]);
  await conversations?.delete('cse_unknown');
  expect(await open('cse_unknown', { cwd: '/work' })).toBeUndefined();
  // What is not an id does not become a part of an address, and creates no session.
  for (const odd of ['new', '', `${id}/../${id}`, '../../../other']) {
    expect(await open(odd, { cwd: '/work' }), odd).toBeUndefined();
    await conversations?.delete(odd);
  }
});

test('a session that does not exist and a server that cannot be reached are errors of the request', async () => {
  const { world, enter } = await answeredSession();
  await expect(enter('cse_unknown')).rejects.toMatchObject({ code: -32_002 });
  await world.restart({ isRefusing: true });
  await expect(enter('cse_unknown')).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringContaining('cannot be reached'),
  });
});

test('an address that names a session is refused, because the editor chooses the session', async () => {
  const { world } = await answeredSession();
  const { url } = await openSession({ base: world.url, session: 'new', token: world.token });
  await expect(serveEditor([], { connect: url }, process)).rejects.toThrow(
    `give the address of the server, ${world.url}`,
  );
});
