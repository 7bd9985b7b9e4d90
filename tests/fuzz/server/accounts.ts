/** The roles that accounts have. */
export const ROLES = ['viewer', 'approver', 'driver'] as const;
export type Role = (typeof ROLES)[number];

/** An account of the file of accounts. */
export interface AccountOf {
  readonly name: string;
  readonly role: Role;
  readonly token: string;
  readonly sessions?: readonly string[];
}

/** Accounts of each role: limits are counted by account, and what one measurement has used up must not limit the next one. */
const ACCOUNTS_OF_A_ROLE = 300;

/** The token of an account; the number goes round. */
export function tokenOf(role: Role, number = 0): string {
  return `${role}-token-0123456789-${number % ACCOUNTS_OF_A_ROLE}`;
}

/** The name of an account. */
export function nameOf(role: Role, number = 0): string {
  return `${role}-${number % ACCOUNTS_OF_A_ROLE}`;
}

/** A driver who is limited to a session that is nobody's. */
const ELSEWHERE: AccountOf = {
  name: 'elsewhere',
  role: 'driver',
  token: 'elsewhere-token-0123456789',
  sessions: ['cse_other'],
};

/** All accounts that a fuzz has by itself. */
export function accountList(): readonly AccountOf[] {
  const shared = ROLES.flatMap((role) =>
    Array.from({ length: ACCOUNTS_OF_A_ROLE }, (_, number) => ({
      name: nameOf(role, number),
      role,
      token: tokenOf(role, number),
    })),
  );
  return [...shared, ELSEWHERE];
}
