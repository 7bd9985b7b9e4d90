import { readFileSync } from 'node:fs';

import type { Direction } from './find-kind.ts';

export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly not?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly description?: string;
}

const ANNOTATIONS = ['$schema', '$id', '$defs', '$comment', 'title', 'description'];

export function shippedSchema(direction: Direction): JsonSchema {
  const file = new URL(`../../json-schema/${direction}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as JsonSchema;
}

/** Throws for an unknown keyword. */
export function satisfies(value: unknown, schema: JsonSchema, root: JsonSchema = schema): boolean {
  const check = (other: JsonSchema, part = value) => satisfies(part, other, root);
  return Object.entries(schema).every(([keyword, given]) => {
    switch (keyword as keyof JsonSchema) {
      case '$ref':
        return check(definition(String(given), root));
      case 'type':
        return [given].flat().includes(kindOf(value));
      case 'const':
        return value === given;
      case 'enum':
        return (given as readonly unknown[]).includes(value);
      case 'not':
        return !check(given as JsonSchema);
      case 'anyOf':
        return schema.anyOf?.some((option) => check(option));
      case 'oneOf':
        return schema.oneOf?.filter((option) => check(option)).length === 1;
      case 'allOf':
        return schema.allOf?.every((part) => check(part));
      case 'required':
        return kindOf(value) !== 'object' || schema.required?.every((name) => Object.hasOwn(value as object, name));
      case 'items':
        return !Array.isArray(value) || value.every((item) => check(given as JsonSchema, item));
      case 'properties':
      case 'additionalProperties':
        return (
          kindOf(value) !== 'object' ||
          members(value as object).every(([name, member]) => check(memberSchema(schema, name), member))
        );
      default:
        if (!ANNOTATIONS.includes(keyword)) throw new Error(`unknown keyword ${keyword}`);
        return true;
    }
  });
}

function memberSchema({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema {
  const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return known ?? additionalProperties ?? {};
}

function definition(ref: string, root: JsonSchema): JsonSchema {
  const found = root.$defs?.[ref.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`${ref} is not defined`);
  return found;
}

function members(value: object): [string, unknown][] {
  return Object.entries(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
