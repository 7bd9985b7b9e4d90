// Turns an inventory into named types, so that two inventories can be compared.

/** @typedef {import('./published-inventory.mjs').PublishedInventory} PublishedInventory */
/** @typedef {import('./declarations.mjs').Field} Field */
/** @typedef {import('./declarations.mjs').Variant} Variant */

/**
 * The types of an inventory, each by a name that readers recognise.
 * @param {PublishedInventory} inventory
 */
export function typesOf(inventory) {
  /** @type {Map<string, string>} */
  const types = new Map();
  for (const { type, subtype, sdkTypeName, fields } of inventory.messages) {
    const name = `message ${subtype === undefined ? type : `${type}/${subtype}`}`;
    types.set(types.has(name) ? `${name} (${sdkTypeName})` : name, objectType(fields));
  }
  for (const { subtype, requestFields, responseFields } of inventory.controlRequests) {
    types.set(`control request ${subtype}`, objectType(requestFields));
    if (responseFields.length > 0) types.set(`answer to ${subtype}`, unionType(responseFields));
  }
  for (const { name, inputFields, specificOutputType, specificOutputFields } of inventory.hookEvents) {
    types.set(`input of the hook ${name}`, objectType(inputFields));
    if (specificOutputType !== null) types.set(`output of the hook ${name}`, objectType(specificOutputFields));
  }
  for (const [name, entry] of Object.entries(inventory.sharedTypes)) types.set(`type ${name}`, unionType(entry));
  for (const [name, values] of Object.entries(inventory.enums)) {
    types.set(`type ${name}`, values.map((value) => (value === null ? 'null' : literalType(value))).join(' | '));
  }
  for (const [name, type] of Object.entries(inventory.otherTypes)) {
    const members =
      typeof type === 'string' ? [] : Object.entries(type).map(([member, of]) => `${quoted(member)}: ${of};`);
    types.set(`type ${name}`, typeof type === 'string' ? type : `{ ${members.join(' ')} }`);
  }
  for (const [name, type] of Object.entries(inventory.clientTypes)) types.set(name, type);
  return types;
}

/** @param {readonly Field[]} fields */
function objectType(fields) {
  const members = fields.map(({ name, optional, type }) => `${quoted(`${name}${optional ? '?' : ''}`)}: ${type};`);
  return `{ ${members.join(' ')} }`;
}

/** All fields belong to one object, and each variant is a separate object. @param {readonly (Field | Variant)[]} entry */
function unionType(entry) {
  const own = entry.flatMap((field) => ('fields' in field ? [] : [field]));
  const variants = entry.flatMap((variant) => ('fields' in variant ? [objectType(variant.fields)] : []));
  return [...variants, ...(own.length > 0 || variants.length === 0 ? [objectType(own)] : [])].join(' | ');
}

/** @param {string} member a name, followed by a question mark if the member may be left out */
function quoted(member) {
  return member.replace(/^.*[^\w$?].*?(?=\??$)/, (name) => JSON.stringify(name));
}

/** In single quotes, as a reader sees them in declarations. @param {string} value */
function literalType(value) {
  return /['\\]/.test(value) ? JSON.stringify(value) : `'${value}'`;
}
