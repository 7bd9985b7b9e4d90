import * as z from 'zod/mini';
import { agentMessage } from './message-members.ts';
import { openEnum, openObject, protocol } from './open.ts';

const overageDisabledReason = openEnum([
  'overage_not_provisioned',
  'org_level_disabled',
  'org_level_disabled_until',
  'out_of_credits',
  'seat_tier_level_disabled',
  'member_level_disabled',
  'seat_tier_zero_credit_limit',
  'group_zero_credit_limit',
  'member_zero_credit_limit',
  'org_service_level_disabled',
  'no_limits_configured',
  'fetch_error',
  'unknown',
]);

export const rateLimitInfo = openObject({
  status: openEnum(['allowed', 'allowed_warning', 'rejected']),
  resetsAt: z.optional(z.number()).check(z.describe('When the limit resets, in seconds since 1970.')),
  rateLimitType: z.optional(openEnum(['five_hour', 'seven_day', 'seven_day_opus', 'seven_day_sonnet', 'seven_day_overage_included', 'overage'])),
  utilization: z.optional(z.number()),
  overageStatus: z.optional(openEnum(['allowed', 'allowed_warning', 'rejected'])).check(z.describe("Like `status`, but for usage beyond the plan's limits.")),
  overageResetsAt: z.optional(z.number()).check(z.describe("Like `resetsAt`, but for usage beyond the plan's limits.")),
  overageDisabledReason: z.optional(overageDisabledReason).check(z.describe("Why usage beyond the plan's limits is not allowed.")),
  isUsingOverage: z.optional(z.boolean()),
  overageInUse: z.optional(z.boolean()),
  overageEnabled: z.optional(z.boolean()),
  surpassedThreshold: z.optional(z.number()),
  limitScope: z.optional(openEnum(['service', 'channel', 'group_pool'])),
  errorCode: z.optional(openEnum(['credits_required'])),
  canUserPurchaseCredits: z.optional(z.boolean()),
  hasChargeableSavedPaymentMethod: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKRateLimitInfo', description: "How much of the plan's limits is used. Times are in seconds since 1970." });

export const rateLimitEvent = agentMessage('rate_limit_event', { rate_limit_info: rateLimitInfo }).register(protocol, {
  id: 'SDKRateLimitEvent',
  description: "The state of the plan's limits has changed.",
});
