/** Returns whether a value is valid. A check gives no reason for its result, but `issueOf` finds out where the check stopped. */
export type Check = (value: unknown) => boolean;

export interface Kind {
  /** `type`, or `type/subtype`. */
  readonly name: string;
  readonly passes: Check;
}

export function kind(name: string, passes: Check): Kind {
  return { name, passes };
}

/** The kinds of messages of one type, by their subtypes. */
export type Kinds = ReadonlyMap<unknown, Kind>;

export function kinds(type: string, checks: Readonly<Record<string, Check>>): Kinds {
  const known = new Map<unknown, Kind>();
  for (const subtype in checks) known.set(subtype, { name: `${type}/${subtype}`, passes: checks[subtype] as Check });
  return known;
}

/** Control requests have the same frame but different bodies. */
export function requests(type: string, bodies: Readonly<Record<string, Check>>): Kinds {
  const frames: Record<string, Check> = {};
  for (const subtype in bodies) frames[subtype] = frameOf(bodies[subtype] as Check);
  return kinds(type, frames);
}

function frameOf(isBody: Check): Check {
  return (value) => object(value) && text(value['request_id']) && object(value['request']) && isBody(value['request']);
}

/** Returns `undefined` for an unknown subtype, and `null` for a message without a subtype. */
export function subtypeOf(known: Kinds, { subtype }: Readonly<Record<string, unknown>>): Kind | null | undefined {
  return known.get(subtype) ?? (typeof subtype === 'string' ? undefined : null);
}

// The parts of generated checks. Each part reads its value before the members of the value, and reads the members one after another. If a check
// fails, the member that was read last is therefore the wrong one.

export function text(value: unknown): boolean {
  return typeof value === 'string';
}

/** True for a number that JSON can represent. */
export function number(value: unknown): boolean {
  return Number.isFinite(value);
}

export function flag(value: unknown): boolean {
  return typeof value === 'boolean';
}

export function object(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function optionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function optionalNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

export function optionalFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

export function has(value: object, name: string): boolean {
  return (value as Readonly<Record<string, unknown>>)[name] !== undefined || name in value;
}

export function nullableNumber(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

export function nullableText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

export function optionalNullableNumber(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(value);
}

export function optionalNullableText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

export function list(value: unknown, passes: Check): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!passes(value[index])) return false;
  return true;
}

/** Like `list` with `text`. Most lists contain strings, and a function call for each element would cost more than the check itself. */
export function texts(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return false;
  return true;
}

export function map(value: unknown, passes: Check): boolean {
  if (!object(value)) return false;
  for (const name of Object.keys(value)) if (!passes(value[name])) return false;
  return true;
}
