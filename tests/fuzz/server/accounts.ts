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

/** The number of accounts of each role. Limits count per account, and one measurement must not use up the limit of the next one. */
const ACCOUNTS_OF_A_ROLE = 300;

/** Returns the token of an account. Numbers above the last account start again at the first. */
export function tokenOf(role: Role, number = 0): string {
  return `${role}-token-0123456789-${number % ACCOUNTS_OF_A_ROLE}`;
}

/** Returns the name of an account. */
export function nameOf(role: Role, number = 0): string {
  return `${role}-${number % ACCOUNTS_OF_A_ROLE}`;
}

/** A driver whose account is limited to a session that no other account uses. */
const ELSEWHERE: AccountOf = {
  name: 'elsewhere',
  role: 'driver',
  token: 'elsewhere-token-0123456789',
  sessions: ['cse_other'],
};

/** Returns all accounts that a fuzz run has by default. */
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
