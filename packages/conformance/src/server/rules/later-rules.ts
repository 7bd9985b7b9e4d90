import { credentialRules } from './credential-rules.ts';
import { leaseRules } from './lease-rules.ts';
import { liveRules } from './live-rules.ts';
import { orderRules } from './order-rules.ts';
import { requestRules } from './request-rules.ts';
import type { Rule } from './rule.ts';
import { stateRules } from './state-rules.ts';

/** The rules that depend on what was sent earlier, and on who had which right when it was sent. */
export const laterRules: readonly Rule[] = [
  ...orderRules,
  ...liveRules,
  ...requestRules,
  ...leaseRules,
  ...stateRules,
  ...credentialRules,
];
