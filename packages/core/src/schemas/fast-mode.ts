import { openEnum } from './open.ts';

export const fastModeState = openEnum(['off', 'cooldown', 'on'], { id: 'FastModeState', description: 'Whether fast mode serves.' });

export const fastModeDisabledReason = openEnum(
  [
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
  ],
  { id: 'FastModeDisabledReason', description: 'Why fast mode cannot serve.' },
);
