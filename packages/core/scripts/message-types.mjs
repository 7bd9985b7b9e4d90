/** @typedef {import('./definitions.mjs').Definition} Definition */

const HEADER = `// Written by scripts/message-types.mjs from the schemas of this folder, so that programs without zod have their types too.
// A type test holds that they are the same.

/** An id as \`crypto.randomUUID\` gives it. */
export type UUID = \`\${string}-\${string}-\${string}-\${string}-\${string}\`;
`;

/** Members whose schema passes what their type does not name, or the other way: how they are typed. */
const TYPED = {
  // Some hosts write `null` for no pattern.
  'PermissionRuleValue.ruleContent': 'string',
  // As the model API has it; an agent ends at another role than `user`.
  'MessageParam.role': "'user' | 'assistant' | 'system'",
  // The names of events are open.
  'SDKControlInitializeRequest.hooks': 'Partial<Record<HookEvent, SDKHookCallbackMatcher[]>> | null',
};

/**
 * Every message type as a declaration that needs no zod.
 *
 * @param {Awaited<ReturnType<typeof import('./definitions.mjs').loadDefinitions>>} loaded
 */
export function messageTypes({ definitions: inferred, messages, json }) {
  const definitions = [...inferred, ...hookUnions(json)];
  const names = new Map(definitions.map(({ name, schema }) => [schema, name]));
  names.set(json.uuid(), 'UUID');
  const declarations = definitions
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, doc, schema }) => declaration(name, doc, typeOf(schema, names, json, name)));
  // What is not declared, or a mere acknowledgement, has no name.
  const table = (entries) => {
    const members = entries.flatMap(([subtype, schema]) =>
      names.has(schema) ? [`${subtype}: ${names.get(schema)};`] : [],
    );
    return `{ ${members.join(' ')} }`;
  };
  const requests = Object.entries(messages.controlRequests).map(([subtype, { request }]) => [subtype, request()]);
  const answers = Object.entries(messages.controlResponses).map(([subtype, schema]) => [subtype, schema()]);
  return [
    HEADER,
    ...declarations,
    declaration('ControlRequests', 'The body of each control request, by `subtype`.', table(requests)),
    declaration(
      'ControlAnswers',
      'The payload of the answer to each control request, by its `subtype`.',
      table(answers),
    ),
  ].join('\n');
}

/** A test that these types are those of the schemas, both ways. */
export function messageTypesTest({ definitions, json }) {
  const names = [...definitions, ...hookUnions(json)].map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1));
  return `// Written by scripts/message-types.mjs.
import { expectTypeOf } from 'vitest';
import type { controlRequests } from './control/requests.ts';
import type * as Inferred from './index.ts';
import type * as Declared from './message-types.ts';
import type { Infer } from './schema.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Pairs = {
${names.map((name) => `  ${name}: [Declared.${name}, Inferred.${name}];`).join('\n')}
};

type Different = keyof { [Name in keyof Pairs as Same<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name]: 1 };

expectTypeOf<Different>().toEqualTypeOf<never>();

type Requests = { [S in keyof Declared.ControlRequests]: Infer<(typeof controlRequests)[S]['request']> };

expectTypeOf<Declared.ControlRequests>().toEqualTypeOf<Requests>();
expectTypeOf<keyof Declared.ControlAnswers>().toExtend<keyof typeof controlRequests>();
`;
}

/** Named types that are not inferred from one schema, but from a table of them. */
function hookUnions({ hookInput, hookSpecificOutput }) {
  return [
    { name: 'HookInput', doc: 'What a hook is called with.', schema: hookInput() },
    {
      name: 'HookSpecificOutput',
      doc: 'What a hook may answer that is particular to its event.',
      schema: hookSpecificOutput(),
    },
  ];
}

function declaration(name, doc, type) {
  return `/** ${doc} */\nexport type ${name} = ${type};\n`;
}

/** A schema as a type; where it has a name, by that, unless it is the one that is declared. */
function typeOf(schema, names, json, declared) {
  const name = names.get(schema);
  if (name !== undefined && name !== declared) return name;
  const text = (/** @type {any} */ part) => typeOf(part, names, json);
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return union(json.metaOf(schema)?.anyOf?.[0]?.enum?.map(literal) ?? ['string']);
    case 'object':
      return objectType(def.shape, text, json, declared);
    case 'literal':
      return union(def.values.map(literal));
    case 'enum':
      return union(Object.values(def.entries).map(literal));
    case 'array':
      return `(${text(def.element)})[]`;
    case 'record':
      return `Record<${text(def.keyType)}, ${text(def.valueType)}>`;
    case 'union':
      return union(def.options.filter((option) => !isRest(option, json)).map(text));
    case 'nullable':
      return union([text(def.innerType), 'null']);
    case 'optional':
      return text(def.innerType);
    case 'lazy':
      return text(def.getter());
    default:
      return def.type;
  }
}

function objectType(shape, text, json, declared) {
  const members = Object.entries(shape).map(([name, member]) => {
    const mark = member._zod.def.type === 'optional' && !json.isCarried(member) ? '?' : '';
    return `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mark}: ${TYPED[`${declared}.${name}`] ?? text(member)};`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`;
}

/** The way through an open union for kinds not known yet, which its type does not name. */
function isRest({ _zod: { def } }, json) {
  return def.type === 'object' && Object.values(def.shape).some((member) => json.metaOf(member)?.not !== undefined);
}

function union(/** @type {readonly string[]} */ options) {
  return [...new Set(options)].join(' | ');
}

function literal(/** @type {unknown} */ value) {
  return JSON.stringify(value);
}
