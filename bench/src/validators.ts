import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type } from 'arktype';
import { Compile } from 'typebox/compile';
import * as v from 'valibot';
import * as zod from 'zod';
import * as mini from 'zod/mini';
import { type Message, schemaOf } from './message-schemas.ts';
import type { Recorded } from './recordings.ts';

/** The parts of JSON Schema that the schemas of the protocol use. */
interface Json {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Json>>;
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly not?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json;
  readonly items?: Json;
}

type Check = (value: unknown) => boolean;

const shipped = { 'from-agent': shippedSchema('from-agent'), 'from-host': shippedSchema('from-host') };

/** Checks of the same messages by other libraries: from our JSON Schema, or from our schemas with zod. */
export const validators: Readonly<Record<string, (message: Message, direction: Recorded['direction']) => Check>> = {
  'zod/mini': byOurs((schema) => (value) => mini.validate(schema, value)),
  'zod compiled': byOurs((schema) => {
    const compiled = mini.compile(schema);
    return (value) => mini.validate(compiled, value);
  }),
  'zod by JSON Schema': byJsonSchema((json) => {
    // The library does not support `not`, which open unions use for unknown kinds.
    const text = JSON.stringify(json, (name, part: unknown) => (name === 'not' ? undefined : part));
    const schema = zod.fromJSONSchema(JSON.parse(text) as Parameters<typeof zod.fromJSONSchema>[0]);
    return (value) => schema.safeParse(value).success;
  }),
  ajv: byJsonSchema((json) => new Ajv2020({ strict: false }).compile(json)),
  typebox: byJsonSchema((json) => {
    const compiled = Compile(json as object);
    return (value) => compiled.Check(value);
  }),
  valibot: byJsonSchema((json) => {
    const schema = toValibot(json, json);
    return (value) => v.is(schema, value);
  }),
  arktype: byJsonSchema((json) => {
    const schema = type.raw(toArktype(json, json));
    return (value) => schema.allows(value);
  }),
};

function shippedSchema(direction: Recorded['direction']): Json {
  const file = new URL(`../../packages/core/json-schema/${direction}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}

/** Returns the schema of a message, or for a request the schema of its body. */
function byOurs(
  make: (schema: mini.ZodMiniType) => Check,
): (message: Message, direction: Recorded['direction']) => Check {
  const made = new Map<mini.ZodMiniType, Check>();
  return (message, direction) => {
    const schema = schemaOf(message, direction);
    const check = made.get(schema) ?? make(schema);
    made.set(schema, check);
    return (value) => check((value as Message).request ?? value);
  };
}

/** One check for each definition, created once, because creating a check takes a long time. */
function byJsonSchema(make: (json: Json) => Check): (message: Message, direction: Recorded['direction']) => Check {
  const made = new Map<string, Check>();
  return (message, direction) => {
    const name = definitionOf(message, direction);
    let check = made.get(direction + name);
    if (check === undefined) {
      const { $defs = {} } = shipped[direction];
      made.set(direction + name, (check = make({ ...$defs[name], $defs })));
    }
    return check;
  };
}

function definitionOf(message: Message, direction: Recorded['direction']): string {
  if (message.request !== undefined) return 'ControlRequest';
  const { $defs = {} } = shipped[direction];
  const isIt = ({ properties = {} }: Json) =>
    properties['type']?.const === message.type &&
    (properties['isReplay']?.const ?? false) === (message.isReplay ?? false) &&
    fits(properties['subtype'], message.subtype);
  const found = Object.entries($defs).find(([, json]) => isIt(json));
  if (found === undefined) throw new Error(`no definition for ${message.type}`);
  return found[0];
}

function fits(schema: Json | undefined, subtype: string | undefined): boolean {
  return schema === undefined
    ? subtype === undefined
    : schema.const === subtype || schema.enum?.includes(subtype ?? '') === true;
}

const built = new Map<Json, v.GenericSchema>();

function toValibot(json: Json, root: Json): v.GenericSchema {
  const { $ref, anyOf, oneOf, items, properties, additionalProperties, required = [] } = json;
  const to = (part: Json) => toValibot(part, root);
  if ($ref !== undefined) {
    const target = definition($ref, root);
    if (!built.has(target)) built.set(target, to(target));
    return built.get(target) as v.GenericSchema;
  }
  if (json.const !== undefined) return v.literal(json.const);
  if (json.not !== undefined)
    return v.pipe(
      v.string(),
      v.check((text) => json.not?.enum?.includes(text) !== true),
    );
  if (json.type === 'string' && anyOf !== undefined) return v.string();
  if (json.enum !== undefined) return v.picklist(json.enum);
  const options = oneOf ?? anyOf;
  if (options !== undefined) return v.union(options.map(to));
  if (Array.isArray(json.type)) return v.union((json.type as string[]).map((name) => to({ ...json, type: name })));
  switch (json.type) {
    case 'string':
      return v.string();
    case 'number':
      return v.number();
    case 'boolean':
      return v.boolean();
    case 'null':
      return v.null();
    case 'array':
      return v.array(items === undefined ? v.unknown() : to(items));
    case 'object': {
      if (properties === undefined) return v.record(v.string(), to(additionalProperties ?? {}));
      const member = ([name, part]: [string, Json]) =>
        [name, required.includes(name) ? to(part) : v.optional(to(part))] as const;
      return v.looseObject(Object.fromEntries(Object.entries(properties).map(member)));
    }
    default:
      return v.unknown();
  }
}

function toArktype(json: Json, root: Json): unknown {
  const { $ref, anyOf, oneOf, items, properties, additionalProperties, required = [] } = json;
  const to = (part: Json) => toArktype(part, root);
  const either = (parts: readonly Json[]) => parts.map(to).reduce((one, other) => [one, '|', other]);
  if ($ref !== undefined) return to(definition($ref, root));
  if (json.const !== undefined) return ['===', json.const];
  if (json.not !== undefined) return ['string', ':', (text: string) => json.not?.enum?.includes(text) !== true];
  if (json.type === 'string' && anyOf !== undefined) return 'string';
  if (json.enum !== undefined) return ['===', ...json.enum];
  const options = oneOf ?? anyOf;
  if (options !== undefined) return either(options);
  if (Array.isArray(json.type)) return either((json.type as string[]).map((name) => ({ ...json, type: name })));
  if (json.type === 'array') return [items === undefined ? 'unknown' : to(items), '[]'];
  if (json.type !== 'object') return json.type ?? 'unknown';
  if (properties === undefined) return { '[string]': to(additionalProperties ?? {}) };
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [required.includes(name) ? name : `${name}?`, to(part)]),
  );
}

function definition(ref: string, { $defs = {} }: Json): Json {
  return $defs[ref.replace('#/$defs/', '')] ?? {};
}
