import { createAccounts, createMemoryEventLog, type EventLog, type IngressServer, serve, type ServeOptions } from '@proto/ingress';

/** The token of each account. */
export const TOKENS = {
  driver: 'driver-token-0123456789',
  approver: 'approver-token-0123456789',
  viewer: 'viewer-token-0123456789',
};

/** An ingress with accounts of every role. */
export async function startIngress(
  log: EventLog = createMemoryEventLog(),
  port = 0,
  options: Partial<ServeOptions> = {},
): Promise<IngressServer> {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const accounts = await createAccounts(roles.map((role) => ({ name: role, role, token: TOKENS[role] })));
  return serve({ log, accounts, port, ...options });
}
