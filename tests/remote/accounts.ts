import {
  createAccounts,
  createMemoryEventLog,
  type EventLog,
  type IngressServer,
  serve,
  type ServeOptions,
} from '@proto/ingress';

/** The token of each account. */
export const TOKENS = {
  driver: 'driver-token-0123456789',
  approver: 'approver-token-0123456789',
  viewer: 'viewer-token-0123456789',
};

/** The token of an account that may enter no session. */
export const TOKEN_OF_ANOTHER = 'another-token-0123456789';

/** An ingress with accounts of every role. */
export async function startIngress(
  log: EventLog = createMemoryEventLog(),
  port = 0,
  options: Partial<ServeOptions> = {},
): Promise<IngressServer> {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const accounts = await createAccounts([
    ...roles.map((role) => ({ name: role, role, token: TOKENS[role] })),
    { name: 'another', role: 'driver', token: TOKEN_OF_ANOTHER, sessions: [] },
  ]);
  return serve({ log, accounts, port, ...options });
}
