import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { SDKControlInitializeResponse } from '@proto/core/messages';

const MODES = [
  { id: 'default', name: 'Ask', description: 'Ask before each change and each command.' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Change files without asking.' },
  { id: 'plan', name: 'Plan', description: 'Make a plan, and change nothing.' },
  { id: 'dontAsk', name: "Don't ask", description: 'Reject what is not allowed in advance.' },
];
const BYPASS = { id: 'bypassPermissions', name: 'Bypass permissions', description: 'Do everything without asking.' };

/** The modes that can be changed to. The mode that is in effect is always one of them. */
export function modesOf(current: string): SessionModeState {
  const known = current === BYPASS.id ? [...MODES, BYPASS] : MODES;
  const isKnown = known.some(({ id }) => id === current);
  return { currentModeId: current, availableModes: isKnown ? known : [...known, { id: current, name: current }] };
}

/** What a session is set to. */
export interface SessionSettings {
  readonly mode: string;
  readonly model: string | undefined;
}

/** The options of a session that an editor shows as menus. An agent that names no models has only the option `mode`. */
export function configOptionsOf(
  { mode, model }: SessionSettings,
  { models }: Pick<SDKControlInitializeResponse, 'models'>,
): SessionConfigOption[] {
  const options = modesOf(mode).availableModes.map(({ id, name, description = null }) => ({
    value: id,
    name,
    description,
  }));
  const offered = models.map(({ value, displayName, description }) => ({ value, name: displayName, description }));
  const [first] = offered;
  return [
    { id: 'mode', type: 'select', category: 'mode', name: 'Mode', currentValue: mode, options },
    ...(first === undefined
      ? []
      : ([
          {
            id: 'model',
            type: 'select',
            category: 'model',
            name: 'Model',
            currentValue: model ?? first.value,
            options: offered,
          },
        ] as const)),
  ];
}
