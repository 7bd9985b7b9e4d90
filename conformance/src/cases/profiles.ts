import type { Case, Side } from './case-schema.ts';
import { isSelected, loadSuite } from './suite.ts';

/**
 * The parts of the suite that have their own score. Each case belongs to one profile.
 *
 * - `core`: what the smallest useful agent or host does.
 * - `sessions`: flags, prompts that wait, interrupts, tasks, signals and stored conversations.
 * - `permissions`: tools, and the questions about whether they may run.
 * - `hooks`: the hooks of the host.
 * - `mcp`: the MCP servers of the host, and their questions to the user.
 * - `remote`: servers for remote sessions.
 */
export const PROFILES = ['core', 'sessions', 'permissions', 'hooks', 'mcp', 'remote'] as const;

/** A part of the suite that has its own score. */
export type Profile = (typeof PROFILES)[number];

export const PROFILE_OF_SUBJECT: Readonly<Record<Exclude<Side, 'server'>, Readonly<Record<string, Profile>>>> = {
  agent: {
    'command-line': 'sessions',
    control: 'core',
    elicitation: 'mcp',
    'end-of-input': 'core',
    framing: 'core',
    hooks: 'hooks',
    interrupts: 'sessions',
    'long-sessions': 'sessions',
    mcp: 'mcp',
    messages: 'core',
    permissions: 'permissions',
    queue: 'sessions',
    resume: 'sessions',
    signals: 'sessions',
    'single-run': 'sessions',
    tasks: 'sessions',
    turns: 'core',
  },
  host: {
    control: 'core',
    framing: 'core',
    hooks: 'hooks',
    mcp: 'mcp',
    messages: 'core',
    mixture: 'core',
    permissions: 'permissions',
    process: 'core',
    turns: 'core',
  },
};

/** Cases whose profile is not the profile of their file, selected as with `--include`. */
export const PROFILE_OF_CASE: Readonly<Record<string, Profile>> = {
  // Hosts pass these flags whenever they start an agent.
  'agent/command-line/speaks-the-protocol': 'core',
  'agent/command-line/values-after-equals': 'core',
  'agent/command-line/other-order-of-flags': 'core',
  'agent/command-line/version': 'core',
  'agent/command-line/flags-that-hosts-pass': 'core',
  'agent/command-line/further-flags-that-hosts-pass': 'core',
  'agent/command-line/allowed-tools*': 'core',
  // A message that starts no turn of the model adds to a stored conversation.
  'TRN-21': 'sessions',
  'agent/messages/members-without-a-model': 'sessions',
};

/** The first pattern that matches the feature counts. */
const PROFILE_OF_NEED: readonly (readonly [pattern: RegExp, profile: Profile])[] = [
  [/^(prompt\.text|messages|open-input)$/, 'core'],
  // An agent can answer these requests without servers or tools.
  [/^request\./, 'sessions'],
  [/mcp|elicitation|^servers$|^dialogs$/, 'mcp'],
  [/hook/, 'hooks'],
  [/tool|permission/, 'permissions'],
  [/./, 'sessions'],
];

/**
 * Returns the profile of a case: the profile of its file, or a later profile in the order of {@link PROFILES} if the case needs a feature of that
 * profile.
 */
export function profileOf({ id, side, spec, needs }: Pick<Case, 'id' | 'side' | 'spec' | 'needs'>): Profile {
  if (side === 'server') return 'remote';
  const subject = PROFILE_OF_SUBJECT[side][id.split('/')[1] ?? ''];
  const own = Object.entries(PROFILE_OF_CASE).find(([name]) => isSelected({ id, spec }, name));
  const ofNeeds = needs.flatMap((need) => PROFILE_OF_NEED.find(([pattern]) => pattern.test(need))?.[1] ?? []);
  const least = own?.[1] ?? subject ?? 'core';
  // A case in a specialised file may need features of other profiles, but tests the subject of its file.
  if (least !== 'core' && least !== 'sessions') return least;
  return PROFILES[Math.max(...[least, ...ofNeeds].map((profile) => PROFILES.indexOf(profile)))] ?? least;
}

/** Returns the profiles that have cases for a side, in the order of {@link PROFILES}. */
export function profilesOfSide(side: Side): Profile[] {
  const used = new Set(loadSuite().cases.flatMap((entry) => (entry.side === side ? [profileOf(entry)] : [])));
  return PROFILES.filter((profile) => used.has(profile));
}
