/** Whether a value has its shape, without saying why not: `explain` asks the check itself where it stopped. */
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

/** What is known of a message whose type has subtypes; null where it has none. */
export function subtypeOf(known: Kinds, { subtype }: Readonly<Record<string, unknown>>): Kind | null | undefined {
  return known.get(subtype) ?? (typeof subtype === 'string' ? undefined : null);
}

// What generated checks are made of. Each looks at its value before anything below it, and at members one by one: the last that was
// looked at is the one that is wrong.

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

/** What JSON calls an object. */
export function object(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text, or nothing. */
export function optionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** A number, or nothing. */
export function optionalNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

/** True, false, or nothing. */
export function optionalFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/** Whether a member is there, whatever it is. */
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

/** A number, or null, or nothing. */
export function optionalNullableNumber(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(value);
}

/** Text, or null, or nothing. */
export function optionalNullableText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** A list of what passes. */
export function list(value: unknown, passes: Check): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!passes(value[index])) return false;
  return true;
}

/** A list of texts: most are, and to call a function for each costs more than to look at it. */
export function texts(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return false;
  return true;
}

/** An object of any names, whose members pass. */
export function map(value: unknown, passes: Check): boolean {
  if (!object(value)) return false;
  for (const name of Object.keys(value)) if (!passes(value[name])) return false;
  return true;
}
