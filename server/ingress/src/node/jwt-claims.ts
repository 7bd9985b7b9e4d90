import type { JWTPayload } from 'jose';
import type { Account, Role } from '../auth/accounts.ts';

/** Which claims of a token define an account. */
export interface ClaimsMapping {
  /** The claim with the name of the account. Default `sub`. */
  readonly nameClaim?: string | undefined;
  /** The claim with the role. Its value is a string or a list of strings, such as the groups of a user. Default `sjp_role`. */
  readonly roleClaim?: string | undefined;
  /**
   * Maps each string that the role claim may contain to a role. Other strings give no role. If the claim gives several roles, the strongest role
   * counts. Default: each string is the name of a role.
   */
  readonly roles?: Readonly<Record<string, Role>> | undefined;
  /**
   * The claim with the ids of the sessions to which the account is limited. Without the claim, the account may use all sessions. Default
   * `sjp_sessions`.
   */
  readonly sessionsClaim?: string | undefined;
}

const STRONGEST_FIRST: readonly Role[] = ['driver', 'approver', 'viewer'];
const OWN_ROLES: Readonly<Record<string, Role>> = { driver: 'driver', approver: 'approver', viewer: 'viewer' };
/** The prefix of the names of these accounts: a user who chooses a name at the issuer must not get the rights of a local account with that name. */
const PREFIX = 'jwt:';
const NAME = /^[^\p{Cc}]{1,256}$/u;

/** Returns the account that a token's claims define, or undefined if the claims define no account, for example because they contain no known role. */
export function accountOfClaims(claims: JWTPayload, mapping: ClaimsMapping): Account | undefined {
  const { nameClaim = 'sub', roleClaim = 'sjp_role', roles = OWN_ROLES, sessionsClaim = 'sjp_sessions' } = mapping;
  const name = claims[nameClaim];
  const role = roleOf(claims[roleClaim], roles);
  const sessions = claims[sessionsClaim];
  if (typeof name !== 'string' || !NAME.test(name) || role === undefined) return undefined;
  if (sessions === undefined) return { name: PREFIX + name, role };
  // An invalid list of sessions must not be ignored.
  return isTexts(sessions) ? { name: PREFIX + name, role, sessions } : undefined;
}

function roleOf(claim: unknown, roles: Readonly<Record<string, Role>>): Role | undefined {
  const said = typeof claim === 'string' ? [claim] : isTexts(claim) ? claim : [];
  const given = said.flatMap((text) => (Object.hasOwn(roles, text) ? [roles[text]] : []));
  return STRONGEST_FIRST.find((role) => given.includes(role));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
