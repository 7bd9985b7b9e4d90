import { isDeepStrictEqual } from 'node:util';

/** How `sjp acp` differs from `claude-agent-acp`, and why: a pattern of scenarios, a pattern of the names of facts, and a reason. */
const REASONS = [
  [/./, /^title$/, 'A title may arrive after the end of a scenario. The scenarios about titles wait for it.'],
  [/./, /^commands$/, '`claude-agent-acp` adds its command `logout`. Editors have the request `logout`.'],
  [/./, /: locations$/, '`claude-agent-acp` adds the line 1 to the file of a Read.'],
  [
    /refused|several/,
    /: (content|rawOutput)$|^agent_message_chunk$|^usage$/,
    'The text of a refusal differs, and is counted.',
  ],
  [
    /subagent/,
    /^agent_message_chunk$/,
    '`claude-agent-acp` also sends the text of a subagent, which is the result of a call.',
  ],
  [/cancel|several/, /^agent_message_chunk$/, 'How far a slow reply gets depends on the time.'],
  [
    /cancel while/,
    /: (content|rawOutput)$|^usage$/,
    'A call that is cut off gets its text from the agent, not from the adapter.',
  ],
  [/cancel|crashes/, /^usage$/, '`claude-agent-acp` loses the usage with the turn.'],
  [/^native/, /^usage$/, '`claude-agent-acp` starts the agent with other flags, which cost tokens.'],
  [/^native/, /^agent_message_chunk$/, '`claude-agent-acp` sends the notices of the agent as texts.'],
  [/^native/, /^modes$/, '`claude-agent-acp` begins in another mode.'],
  [/^native: (a denied|the plan mode)/, /: (content|rawOutput)$/, 'The text of a refusal differs.'],
  [
    /^native: (an allowed|a permission)/,
    /: content$/,
    '`claude-agent-acp` shows the description of a command that has no output.',
  ],
  [
    /^native: several/,
    /: options$/,
    '`claude-agent-acp` offers no lasting permission for a command if that would also change the mode.',
  ],
  [
    /^native: a plan/,
    /^call 1: (title|content)$/,
    '`claude-agent-acp` changes the title of an approved plan, and removes the text of the result.',
  ],
  [/^native: a subagent/, /: rawOutput$/, 'The result contains the id and the duration of the subagent.'],
  [
    /^native: a question that is declined/,
    /^call \d+: status$/,
    '`claude-agent-acp` gives the agent no answers, with which the call is complete. `sjp acp` refuses the call.',
  ],
  [/declined/, /: (content|rawOutput)$|^agent_message_chunk$|^usage$/, 'The text of an unanswered question differs.'],
  [
    /an image, a link/,
    /^agent_message_chunk$|^usage$/,
    '`claude-agent-acp` also sends a link to each embedded file, whose text it puts after all links.',
  ],
  [
    /several calls/,
    /^call \d/,
    '`claude-agent-acp` introduces a call that the agent asks about before the earlier calls of the same reply.',
  ],
  [/as options/, /^modes$/, '`sjp acp` also notifies the editor of a mode that the answer to the request contains.'],
  [/two prompts/, /^agent_message_chunk$/, 'How far a slow reply gets depends on the time.'],
];

/**
 * The differences between what two programs have shown in the scenarios that both have passed, except those that have a reason.
 * @param {ReadonlyMap<string, readonly ReadonlyMap<string, unknown>[]>} theirs
 * @param {ReadonlyMap<string, readonly ReadonlyMap<string, unknown>[]>} ours
 */
export function differencesOf(theirs, ours) {
  const both = [...theirs].filter(([scenario]) => ours.has(scenario));
  return both.flatMap(([scenario, sessions]) =>
    sessions.flatMap((facts, place) => {
      const others = ours.get(scenario)?.[place] ?? new Map();
      const names = new Set([...facts.keys(), ...others.keys()]);
      return [...names]
        .filter((name) => !isDeepStrictEqual(facts.get(name), others.get(name)))
        .filter((name) => !REASONS.some(([where, what]) => where.test(scenario) && what.test(name)))
        .map((name) => `${scenario}: ${name}: ${short(facts.get(name))} and ${short(others.get(name))}`);
    }),
  );
}

function short(value) {
  return String(JSON.stringify(value)).slice(0, 200);
}
