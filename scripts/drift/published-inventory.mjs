// The part of the protocol's inventory that comes from published declarations. What declarations do not say (who sends a message, and the answers
// whose types have no name) comes from the existing inventory.
import { Declarations } from './declarations.mjs';
import { DriftError } from './published-package.mjs';

/** @typedef {import('./declarations.mjs').Field} Field */
/** @typedef {import('./declarations.mjs').Variant} Variant */
/** @typedef {'agent->host' | 'host->agent' | 'both'} Direction */
/** @typedef {{ type: string, subtype?: string, direction: Direction, sdkTypeName: string, fields: Field[] }} Message */
/**
 * @typedef {{ subtype: string, direction: Direction, sdkTypeName: string, requestFields: Field[], responseTypeName: string | null,
 *   responseFields: (Field | Variant)[] }} Request
 */
/**
 * @typedef {{ name: string, inputType: string, inputFields: Field[], specificOutputType: string | null,
 *   specificOutputFields: Field[] }} Hook
 */
/**
 * @typedef {object} Inventory
 * @property {Record<string, unknown>} generatedFrom
 * @property {Record<string, number>} counts
 * @property {string[]} topLevelTypes
 * @property {Message[]} messages
 * @property {Request[]} controlRequests
 * @property {Hook[]} hookEvents
 * @property {Record<string, (Field | Variant)[]>} sharedTypes
 * @property {Record<string, (string | null)[]>} enums
 * @property {Record<string, Record<string, string> | string>} otherTypes What is known about the types whose members are not described.
 * @property {Record<string, string>} clientTypes The types and functions of the clients for remote sessions, each by its file and its name.
 */
/** @typedef {Omit<Inventory, 'generatedFrom' | 'counts'>} PublishedInventory */

const BASE = 'BaseHookInput';
// Members of answers, hooks and messages that have no named type.
const OPEN_ROOTS = ['Settings'];
// The clients for remote sessions: their options and results show what servers send.
const CLIENTS = ['browser-sdk.d.ts', 'bridge.d.ts'];

/**
 * @param {ReadonlyMap<string, string>} files of the package
 * @param {Inventory} known
 * @returns {PublishedInventory}
 */
export function inventoryOf(files, known) {
  const sdk = declarationsIn(files, 'sdk.d.ts');
  const tools = declarationsIn(files, 'sdk-tools.d.ts');
  const messages = sdk.optionsOf('StdoutMessage');
  const read = {
    messages: messages.flatMap((name) => messagesOf(sdk, name, known)),
    controlRequests: sdk.optionsOf('SDKControlRequestInner').map((name) => requestOf(sdk, name, known)),
    hookEvents: hooksOf(sdk),
  };
  const used = usedTypes(sdk, read);
  const listed = (/** @type {object} */ section) => Object.keys(section).filter((name) => sdk.has(name));
  const sharedTypes = {
    ...entriesOf(listed(known.sharedTypes), (name) => sdk.fieldsOf(name) ?? sdk.variantsOf(name)),
    ...entriesOf(used, (name) => (name in known.sharedTypes ? undefined : sdk.fieldsOf(name))),
  };
  const enums = entriesOf([...listed(known.enums), ...used], (name) => sdk.valuesOf(name));
  const rest = used.filter((name) => !(name in sharedTypes) && !(name in enums));
  const otherTypes = {
    ...entriesOf([...rest, ...OPEN_ROOTS.filter((name) => sdk.has(name))], (name) => wholeOf(sdk, name)),
    ...entriesOf(tools.names, (name) => wholeOf(tools, name)),
  };
  const topLevelTypes = [...new Set(read.messages.map(({ type }) => type))];
  const clientTypes = Object.fromEntries(CLIENTS.flatMap((file) => clientTypesOf(declarationsIn(files, file), file)));
  return { topLevelTypes, ...read, sharedTypes, enums, otherTypes, clientTypes };
}

/** @param {Declarations} client @param {string} file @returns {(readonly [name: string, type: string])[]} */
function clientTypesOf(client, file) {
  return [
    ...client.names.map((name) => /** @type {const} */ ([`${file} ${name}`, client.textOf(name)])),
    ...client.functionNames.map((name) => /** @type {const} */ ([`${file} ${name}()`, client.functionText(name)])),
  ];
}

/** @param {ReadonlyMap<string, string>} files @param {string} name */
function declarationsIn(files, name) {
  const text = files.get(name);
  if (text === undefined) throw new DriftError(`The package has no ${name}, which declares the protocol.`);
  return new Declarations(name, text);
}

/** @param {Declarations} sdk @param {string} name @param {Inventory} known @returns {Message[]} */
function messagesOf(sdk, name, known) {
  const old = known.messages.find(({ sdkTypeName }) => sdkTypeName === name);
  const direction = old?.direction ?? 'agent->host';
  const forms = sdk.variantsOf(name)?.map(({ fields }) => fields) ?? [membersOf(sdk, name)];
  return forms.flatMap((fields) => {
    const [type = name] = literalsOf(fields, 'type');
    const rest = { direction, sdkTypeName: name, fields };
    const subtypes = literalsOf(fields, 'subtype');
    return subtypes.length === 0 ? [{ type, ...rest }] : subtypes.map((subtype) => ({ type, subtype, ...rest }));
  });
}

/** @param {Declarations} sdk @param {string} name @param {Inventory} known @returns {Request} */
function requestOf(sdk, name, known) {
  const fields = membersOf(sdk, name);
  const [subtype = name] = literalsOf(fields, 'subtype');
  const old = known.controlRequests.find((request) => request.subtype === subtype);
  const byName = name.replace(/Request$/, 'Response');
  const responseTypeName = old?.responseTypeName ?? (byName !== name && sdk.has(byName) ? byName : null);
  const responseFields =
    responseTypeName !== null && sdk.has(responseTypeName)
      ? (sdk.variantsOf(responseTypeName) ?? [{ variant: responseTypeName, fields: membersOf(sdk, responseTypeName) }])
      : (old?.responseFields ?? []);
  return {
    subtype,
    direction: old?.direction ?? 'host->agent',
    sdkTypeName: name,
    requestFields: fields.filter((field) => field.name !== 'subtype'),
    responseTypeName,
    responseFields,
  };
}

/** @param {Declarations} sdk @returns {Hook[]} */
function hooksOf(sdk) {
  const outputs = new Map(
    sdk.names
      .filter((name) => name.endsWith('HookSpecificOutput'))
      .map((name) => [literalsOf(membersOf(sdk, name), 'hookEventName')[0], name]),
  );
  const inputs = sdk.optionsOf('HookInput').map((inputType) => {
    const inputFields = membersOf(sdk, inputType, BASE);
    const [name = inputType] = literalsOf(inputFields, 'hook_event_name');
    const output = outputs.get(name) ?? null;
    const specificOutputFields = output === null ? [] : membersOf(sdk, output);
    return {
      name,
      inputType,
      inputFields,
      specificOutputType: output,
      specificOutputFields: specificOutputFields.filter((field) => field.name !== 'hookEventName'),
    };
  });
  // In the order of the list of events.
  const order = (sdk.has('HOOK_EVENTS') && sdk.valuesOf('HOOK_EVENTS')) || [];
  const place = (/** @type {string} */ name) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return inputs.toSorted((a, b) => place(a.name) - place(b.name));
}

/**
 * The types that messages, requests, answers and hooks use, without the messages, requests, answers and hooks themselves.
 * @param {Declarations} sdk
 * @param {Pick<Inventory, 'messages' | 'controlRequests' | 'hookEvents'>} read
 */
function usedTypes(sdk, read) {
  const own = new Set([
    ...read.messages.map(({ sdkTypeName }) => sdkTypeName),
    ...read.controlRequests.flatMap(({ sdkTypeName, responseTypeName }) => [sdkTypeName, responseTypeName ?? '']),
    ...read.hookEvents.flatMap(({ inputType, specificOutputType }) => [inputType, specificOutputType ?? '']),
  ]);
  const used = new Set(own);
  for (const name of used) if (sdk.has(name)) for (const next of sdk.namesIn(name)) used.add(next);
  const lists = new Set(['SDKControlRequestInner', 'HookInput']);
  return [...used].filter((name) => !own.has(name) && !lists.has(name) && sdk.has(name));
}

/**
 * @template T
 * @param {readonly string[]} names
 * @param {(name: string) => T | undefined} read
 * @returns {Record<string, T>}
 */
function entriesOf(names, read) {
  /** @type {Record<string, T>} */
  const entries = {};
  for (const name of new Set(names)) {
    const entry = read(name);
    if (entry !== undefined) entries[name] = entry;
  }
  return entries;
}

/** @param {Declarations} declarations @param {string} name */
function wholeOf(declarations, name) {
  const fields = declarations.fieldsOf(name);
  if (fields === undefined) return declarations.textOf(name);
  return Object.fromEntries(fields.map((field) => [`${field.name}${field.optional ? '?' : ''}`, field.type]));
}

/** @param {Declarations} sdk @param {string} name @param {string} [without] a type whose members are left out */
function membersOf(sdk, name, without) {
  const fields = sdk.fieldsOf(name, without);
  if (fields === undefined) throw new DriftError(`${name} is not an object whose members this command can read.`);
  return fields;
}

/** The strings that a member may be. @param {readonly Field[]} fields @param {string} name */
function literalsOf(fields, name) {
  const type = fields.find((field) => field.name === name)?.type ?? '';
  return [...type.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
}
