/** Whether a value has a shape, without a reason: `explain` finds out where a check stopped. */
export type Check = (value: unknown) => boolean;

/** What is known of one kind of message. */
export interface Kind {
  /** `type`, or `type/subtype`. */
  readonly name: string;
  readonly passes: Check;
}

/** What is known of one kind of message. */
export function kind(name: string, passes: Check): Kind {
  return { name, passes };
}

/** What is known of the messages of one type, by their subtypes. */
export type Kinds = ReadonlyMap<unknown, Kind>;

/** What is known of the messages of one type that has subtypes. */
export function kinds(type: string, checks: Readonly<Record<string, Check>>): Kinds {
  const known = new Map<unknown, Kind>();
  for (const subtype in checks) known.set(subtype, { name: `${type}/${subtype}`, passes: checks[subtype] as Check });
  return known;
}

/** What is known of control requests: the frame is that of all, the body of each its own. */
export function requests(type: string, bodies: Readonly<Record<string, Check>>): Kinds {
  const frames: Record<string, Check> = {};
  for (const subtype in bodies) frames[subtype] = frameOf(bodies[subtype] as Check);
  return kinds(type, frames);
}

function frameOf(isBody: Check): Check {
  return (value) => object(value) && text(value['request_id']) && object(value['request']) && isBody(value['request']);
}

/** What is known of a message whose type has subtypes; null if it has none. */
export function subtypeOf(known: Kinds, { subtype }: Readonly<Record<string, unknown>>): Kind | null | undefined {
  return known.get(subtype) ?? (typeof subtype === 'string' ? undefined : null);
}

// The parts of generated checks. Each looks at its value before anything below it, and at one member after the other, so the last member
// that was looked at is the wrong one.

/** Any text. */
export function text(value: unknown): boolean {
  return typeof value === 'string';
}

/** Any number that JSON can express. */
export function number(value: unknown): boolean {
  return Number.isFinite(value);
}

/** True or false. */
export function flag(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** An object, and no array. */
export function object(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text, or absent. */
export function optionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** A number, or absent. */
export function optionalNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

/** True, false, or absent. */
export function optionalFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/** Any value that is not absent. */
export function has(value: object, name: string): boolean {
  return (value as Readonly<Record<string, unknown>>)[name] !== undefined || name in value;
}

/** A number, or null. */
export function nullableNumber(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

/** Text, or null. */
export function nullableText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/** A number, null, or absent. */
export function optionalNullableNumber(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(value);
}

/** Text, null, or absent. */
export function optionalNullableText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** A list whose elements pass a check. */
export function list(value: unknown, passes: Check): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!passes(value[index])) return false;
  return true;
}

/** A list of texts. Most lists hold texts, and a function call for each element costs more than the check. */
export function texts(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return false;
  return true;
}

/** An object with any names, whose members pass a check. */
export function map(value: unknown, passes: Check): boolean {
  if (!object(value)) return false;
  for (const name of Object.keys(value)) if (!passes(value[name])) return false;
  return true;
}
