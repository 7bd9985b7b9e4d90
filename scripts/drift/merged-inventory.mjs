// Updates the inventory: replaces the parts that come from the declarations, and keeps the parts that come from other sources.

/** @typedef {import('./published-inventory.mjs').Inventory} Inventory */
/** @typedef {import('./published-inventory.mjs').PublishedInventory} PublishedInventory */
/** @typedef {import('./published-package.mjs').PublishedPackage} PublishedPackage */

/**
 * @param {Inventory} known
 * @param {PublishedInventory} published
 * @param {PublishedPackage} from
 * @returns {Inventory}
 */
export function mergedInventory(known, published, { version, claudeCodeVersion }) {
  const notes = new Map(fieldsIn(known).map((field) => [keyOf(field.path, field.field), field.field]));
  // A member that did not change keeps its notes.
  for (const { path, field } of fieldsIn(published)) Object.assign(field, notes.get(keyOf(path, field)));
  const generatedFrom = { ...known.generatedFrom, version, claudeCodeVersion, tool: 'pnpm drift --write' };
  return { ...known, generatedFrom, ...published, counts: { ...known.counts, ...countsOf(published) } };
}

/** @typedef {Record<string, unknown> & { name: string, type: string, optional: boolean }} Noted */

/**
 * Every member of an inventory, with the names of the types around it.
 * @param {unknown} value
 * @param {string} path
 * @returns {{ path: string, field: Noted }[]}
 */
function fieldsIn(value, path = '') {
  if (typeof value !== 'object' || value === null) return [];
  if (isField(value)) return [{ path, field: value }];
  const { name, subtype, sdkTypeName, variant } = /** @type {Record<string, unknown>} */ (value);
  const own = [path, subtype, sdkTypeName, name, variant].filter(Boolean).join('/');
  if (Array.isArray(value)) return value.flatMap((part) => fieldsIn(part, path));
  return Object.entries(value).flatMap(([key, part]) => fieldsIn(part, `${own}/${key}`));
}

/** @param {object} value @returns {value is Noted} */
function isField(value) {
  return 'name' in value && 'type' in value && 'optional' in value;
}

/** @param {string} path @param {Noted} field */
function keyOf(path, { name, type, optional }) {
  return JSON.stringify([path, name, type, optional]);
}

/** @param {PublishedInventory} inventory */
function countsOf({ messages, controlRequests, hookEvents, enums }) {
  const sentTo = (/** @type {'agent->host' | 'host->agent' | 'both'} */ wanted) =>
    controlRequests.filter(({ direction }) => direction === wanted);
  return {
    messageTypeSubtypePairs: messages.length,
    distinctTopLevelTypes: new Set(messages.map(({ type }) => type)).size,
    systemSubtypes: messages.filter(({ type }) => type === 'system').length,
    resultSubtypes: messages.filter(({ type }) => type === 'result').length,
    controlRequests: controlRequests.length,
    controlHostToAgent: sentTo('host->agent').length,
    controlAgentToHost: sentTo('agent->host').length,
    controlBoth: sentTo('both').length,
    hookEvents: hookEvents.length,
    hookEventsWithSpecificOutput: hookEvents.filter(({ specificOutputType }) => specificOutputType !== null).length,
    enums: Object.keys(enums).length,
    declaredMessageFields: messages.reduce((sum, { fields }) => sum + fields.length, 0),
  };
}
