import { rules as agentRules } from './agent/rules/index.ts';
import type { Side } from './cases/case-schema.ts';
import { serverRules } from './server/rules/check-rules.ts';

export interface SessionRule {
  readonly side: Side;
  readonly name: string;
  readonly spec: string;
}

/**
 * The rules for agents and servers that apply to every session, whatever the case tests. Such rules also exist for hosts, and each of them has its
 * own cases.
 */
export const sessionRules: readonly SessionRule[] = [
  ...agentRules.map(({ name, spec }) => ({ side: 'agent' as const, name, spec })),
  ...serverRules.map(({ name, spec }) => ({ side: 'server' as const, name, spec })),
];
