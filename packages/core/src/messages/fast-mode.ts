import { type Infer, lazy, openEnum } from './schema.ts';

/** Schema of `FastModeState`. */
export const fastModeState = lazy(() => openEnum(['off', 'cooldown', 'on']));

/** Whether fast mode serves. */
export type FastModeState = Infer<typeof fastModeState>;

/** Schema of `FastModeDisabledReason`. */
export const fastModeDisabledReason = lazy(() =>
  openEnum([
    'free',
    'preference',
    'extra_usage_disabled',
    'network_error',
    'unknown',
    'not_first_party',
    'disabled_by_env',
    'model_not_allowed',
    'sdk_opt_in_required',
    'pending',
  ]),
);

/** Why fast mode cannot serve. */
export type FastModeDisabledReason = Infer<typeof fastModeDisabledReason>;
