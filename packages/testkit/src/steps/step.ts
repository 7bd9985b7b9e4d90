import { DEFAULT_STEP_MS, type Party, type Scope } from './scope.ts';

/** A step of a case: its verb is one of its names. */
export type Step = Readonly<Record<string, unknown>>;

/** Runs one step. */
export type Verb = (step: Step, scope: Scope) => Promise<void>;

/** The text of a field. `undefined` if the step does not have the field. */
export function nameIn(step: Step, field: string): string | undefined {
  const value = step[field];
  return typeof value === 'string' ? value : undefined;
}

/** The party that acts in a step: of `by`, or the default one. */
export function partyOf(step: Step, scope: Scope): Party {
  const name = nameIn(step, 'by') ?? scope.defaultParty;
  const party = scope.parties.get(name);
  if (party === undefined) throw new Error(`The case has no party "${name}".`);
  return party;
}

/** Sends a message the way of the party: as a line of NDJSON, if it has no other. */
export async function send(party: Party, message: unknown): Promise<void> {
  await (party.send === undefined ? party.sendText(`${JSON.stringify(message)}\n`) : party.send(message));
}

/** Binds a value to the name in `as`. */
export function bindAs(step: Step, value: unknown, scope: Scope): void {
  const name = nameIn(step, 'as');
  if (name !== undefined) scope.variables.bind(name, value);
}

/** The time limit of a step, in milliseconds. */
export function limitOf(step: Step, scope: Scope): number {
  return Number(step['within'] ?? DEFAULT_STEP_MS) * scope.timeoutScale;
}
