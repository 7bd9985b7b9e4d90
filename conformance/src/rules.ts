import { rules as agentRules } from './agent/rules/index.ts';
import type { Side } from './cases/case-schema.ts';
import { serverRules } from './server/rules/check-rules.ts';

/** A rule that holds in every session, and the requirement that it checks. */
export interface SessionRule {
  readonly side: Side;
  readonly name: string;
  readonly spec: string;
}

/** The rules of agents and servers that hold in every session, whatever a case is about. Hosts have such rules, too, and cases for each of them. */
export const sessionRules: readonly SessionRule[] = [
  ...agentRules.map(({ name, spec }) => ({ side: 'agent' as const, name, spec })),
  ...serverRules.map(({ name, spec }) => ({ side: 'server' as const, name, spec })),
];
