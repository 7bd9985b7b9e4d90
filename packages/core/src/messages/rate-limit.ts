import { agentMessage } from './agent-message.ts';
import { object, optional } from './object-schema.ts';
import { boolean, type Infer, lazy, number, openEnum } from './schema.ts';

/** Schema of `SDKRateLimitInfo`. */
export const rateLimitInfo = lazy(() =>
  object({
    status: openEnum(['allowed', 'allowed_warning', 'rejected']),
    resetsAt: optional(number),
    rateLimitType: optional(
      openEnum([
        'five_hour',
        'seven_day',
        'seven_day_opus',
        'seven_day_sonnet',
        'seven_day_overage_included',
        'overage',
      ]),
    ),
    utilization: optional(number),
    overageStatus: optional(openEnum(['allowed', 'allowed_warning', 'rejected'])),
    overageResetsAt: optional(number),
    overageDisabledReason: optional(
      openEnum([
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
      ]),
    ),
    isUsingOverage: optional(boolean),
    overageInUse: optional(boolean),
    overageEnabled: optional(boolean),
    surpassedThreshold: optional(number),
    limitScope: optional(openEnum(['service', 'channel', 'group_pool'])),
    errorCode: optional(openEnum(['credits_required'])),
    canUserPurchaseCredits: optional(boolean),
    hasChargeableSavedPaymentMethod: optional(boolean),
  }),
);

/** Where the session stands with the limits of its plan. Times are in seconds since 1970. */
export type SDKRateLimitInfo = Infer<typeof rateLimitInfo>;

/** Schema of `SDKRateLimitEvent`. */
export const rateLimitEvent = lazy(() =>
  agentMessage('rate_limit_event', {
    rate_limit_info: rateLimitInfo,
  }),
);

/** The limits of the plan changed. */
export type SDKRateLimitEvent = Infer<typeof rateLimitEvent>;
