/** Tests of accounts and leases that are revoked while requests and streams go through two nodes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Accounts } from '../auth/accounts.ts';
import { assistant, TOKENS, user } from '../ingress.test-support.ts';
import { base, startNodes, testAccounts, type TestNode } from './nodes.test-support.ts';

/** The accounts of one node, from which the test removes the viewer. */
async function leaving() {
  const accounts = await testAccounts();
  let isGone = false;
  let changed = () => {};
  const current: Accounts = {
    authenticate: async (token) => (isGone && token === TOKENS.viewer ? undefined : accounts.authenticate(token)),
    isCurrent: async (account) =>
      !(isGone && account.name === 'viewer') && (await accounts.isCurrent?.(account)) === true,
    watch(onChange) {
      changed = () => onChange(undefined);
      return () => {};
    },
  };
  const remove = () => {
    isGone = true;
    changed();
  };
  return { accounts: current, remove };
}

async function started() {
  const accounts = [await leaving(), await leaving(), await leaving()];
  const { nodes, store, pass } = await startNodes(3, (index) => ({ accounts: accounts[index]?.accounts }) as object);
  const [owner, through, other] = nodes as [TestNode, TestNode, TestNode];
  const id = await owner.newSession();
  return { owner, through, other, id, store, pass, remove: (index: number) => accounts[index]?.remove() };
}

test.each([
  ['the owner', 0],
  ['the node at which the client is connected', 1],
])('an account that %s knows to be revoked reads no further, over event streams and WebSockets', async (_, index) => {
  const { owner, through, other, id, remove } = await started();
  const stream = await through.view(id);
  const socket = through.viewSocket(id, { token: TOKENS.viewer });
  await owner.post(id, [user('1')]);
  await stream.take(1);
  await socket.take(1);
  const kept = await through.view(id, { token: TOKENS.approver });
  const ofOther = await other.view(id);
  remove(index);
  await stream.ended.catch(() => {});
  await socket.closed;
  await owner.post(id, [user('2')]);
  await kept.take(2);
  expect(stream.of('client_event')).toHaveLength(1);
  expect(socket.lines().filter(({ type }) => type === 'user')).toHaveLength(1);
  expect((await through.call(base(id), undefined, { token: TOKENS.viewer })).status).toBe(401);
  const isOwner = index === 0;
  // On a path through other nodes, the account is accepted until one of these nodes notices the revocation.
  expect((await other.call(base(id), undefined, { token: TOKENS.viewer })).status).toBe(isOwner ? 401 : 200);
  if (isOwner) await ofOther.ended.catch(() => {});
  else await ofOther.take(2);
});

test('an account that is revoked while its stream is being opened through a node gets no stream that stays', async () => {
  const { through, id, remove } = await started();
  const opening = through.view(id);
  remove(1);
  const stream = await opening.catch(() => undefined);
  await stream?.ended.catch(() => {});
});

test('a lease that was taken over on one node is refused on every node at once', async () => {
  const { owner, through, other, id } = await started();
  const lease = await through.claimLease(id);
  const streams = [await lease.follow(other)];
  expect((await lease.say(other, assistant('1'))).status).toBe(200);
  await other.claimLease(id);
  for (const node of [owner, through, other]) expect((await lease.say(node, assistant('2'))).status).toBe(409);
  for (const stream of streams) await stream.ended;
});

test('an archived session is archived on every node at once', async () => {
  const { owner, through, other, id } = await started();
  const lease = await owner.claimLease(id);
  const worker = await lease.follow(through);
  const viewer = await other.view(id);
  await through.call(`${base(id)}/archive`, {});
  await worker.ended;
  await viewer.until(() => viewer.of('session_archived').length === 1);
  for (const node of [owner, through, other]) {
    expect((await node.post(id, [user('late')])).status).toBe(410);
    expect((await lease.say(node, assistant('late'))).status).toBe(409);
  }
});

test('a stream through a node ends with that node, and counts at the owner as a reader until then', async () => {
  const { owner, through, other, id } = await started();
  const lease = await owner.claimLease(id);
  const viewer = await through.view(id);
  const present = async () => (await lease.say(other, assistant('x'))).body['has_subscribers'];
  expect(await present()).toBe(true);
  await viewer.close();
  await vi.waitFor(async () => expect(await present()).toBe(false));
  const again = await through.view(id);
  onTestFinished(() => again.close());
  expect(await present()).toBe(true);
  await through.server.close();
  await again.ended;
  await vi.waitFor(async () => expect(await present()).toBe(false));
});
