import { DEFAULT_STEP_MS, type Party, type Scope } from './scope.ts';

/** A step of a case. One of its members is the verb. */
export type Step = Readonly<Record<string, unknown>>;

/** Runs one step. */
export type Verb = (step: Step, scope: Scope) => Promise<void>;

/** Returns the string in a field. Returns `undefined` if the field is absent or not a string. */
export function nameIn(step: Step, field: string): string | undefined {
  const value = step[field];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the party that performs a step: the party that `by` names, or the default party.
 * @throws {Error} if the case does not have this party.
 */
export function partyOf(step: Step, scope: Scope): Party {
  const name = nameIn(step, 'by') ?? scope.defaultParty;
  const party = scope.parties.get(name);
  if (party === undefined) throw new Error(`The case does not have a party "${name}".`);
  return party;
}

/** Sends a message with the party's own `send` function, or as a line of NDJSON. */
export async function send(party: Party, message: unknown): Promise<void> {
  await (party.send === undefined ? party.sendText(`${JSON.stringify(message)}\n`) : party.send(message));
}

/** Binds a value to the name in `as`, if the step has this field. */
export function bindAs(step: Step, value: unknown, scope: Scope): void {
  const name = nameIn(step, 'as');
  if (name !== undefined) scope.variables.bind(name, value);
}

/** Returns the time limit of a step in milliseconds: the value of `within` or 10 000, multiplied by `timeoutScale`. */
export function limitOf(step: Step, scope: Scope): number {
  return Number(step['within'] ?? DEFAULT_STEP_MS) * scope.timeoutScale;
}
