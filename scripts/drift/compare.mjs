// Compares two inventories, member by member.
import { shapeOf } from './shape.mjs';
import { typesOf } from './types-of-inventory.mjs';

/** @typedef {import('./published-inventory.mjs').PublishedInventory} PublishedInventory */
/** @typedef {import('./shape.mjs').Shape} Shape */
/**
 * `at` is the path of the member that changed. It is empty if the whole type changed.
 * @typedef {{ of: string, at: string } & (
 *   | { change: 'new' | 'gone', type: string }
 *   | { change: 'new member', type: string, optional: boolean }
 *   | { change: 'member gone', type: string }
 *   | { change: 'new option' | 'option gone', type: string }
 *   | { change: 'optional' | 'required' }
 *   | { change: 'type', before: string, after: string })} Change
 */

/** @param {PublishedInventory} before @param {PublishedInventory} after @returns {Change[]} */
export function changesBetween(before, after) {
  const old = typesOf(before);
  const now = typesOf(after);
  /** @type {Change[]} */
  const changes = [];
  for (const of of new Set([...old.keys(), ...now.keys()])) {
    const [type, next] = [old.get(of), now.get(of)];
    if (type === undefined) changes.push({ of, at: '', change: 'new', type: String(next) });
    else if (next === undefined) changes.push({ of, at: '', change: 'gone', type });
    else changes.push(...differences(shapeOf(type), shapeOf(next), '').map((found) => ({ of, ...found })));
  }
  return changes;
}

/** A change whose member `of` is not set yet. @typedef {any} Difference */

/** @param {Shape} before @param {Shape} after @param {string} at @returns {Difference[]} */
function differences(before, after, at) {
  if (before.key === after.key) return [];
  if (before.kind === 'union' || after.kind === 'union')
    return unionDifferences(optionsOf(before), optionsOf(after), at);
  if (before.kind === 'object' && after.kind === 'object') return memberDifferences(before, after, at);
  if (before.kind === 'array' && after.kind === 'array') return differences(before.item, after.item, `${at}[]`);
  if (before.kind === 'named' && after.kind === 'named' && before.name === after.name) {
    const pairs = before.of.map((part, index) => /** @type {const} */ ([part, after.of[index]]));
    if (before.of.length === after.of.length) {
      return pairs.flatMap(([part, next]) => (next === undefined ? [] : differences(part, next, `${at}<>`)));
    }
  }
  return [{ at, change: 'type', before: before.text, after: after.text }];
}

/**
 * @param {Shape & { kind: 'object' }} before
 * @param {Shape & { kind: 'object' }} after
 * @param {string} at
 */
function memberDifferences(before, after, at) {
  const found = [];
  for (const name of new Set([...before.members.keys(), ...after.members.keys()])) {
    const [old, now] = [before.members.get(name), after.members.get(name)];
    const path = at === '' ? name : `${at}.${name}`;
    if (old === undefined)
      found.push({ at: path, change: 'new member', type: now?.shape.text, optional: now?.optional });
    else if (now === undefined) found.push({ at: path, change: 'member gone', type: old.shape.text });
    else {
      if (old.optional !== now.optional) found.push({ at: path, change: now.optional ? 'optional' : 'required' });
      found.push(...differences(old.shape, now.shape, path));
    }
  }
  return found;
}

/** @param {readonly Shape[]} before @param {readonly Shape[]} after @param {string} at */
function unionDifferences(before, after, at) {
  const missing = before.filter(({ key }) => !after.some((option) => option.key === key));
  const lost = [...missing];
  const added = after.filter(({ key }) => !before.some((option) => option.key === key));
  const found = [];
  // If both sides have an option, only its members that differ are described.
  for (const option of missing) {
    const tag = tagOf(option);
    const isAlone = lost.filter(({ kind }) => kind === option.kind).length === 1;
    const same = added.filter(
      (other) => other.kind === option.kind && (isAlone || tag !== undefined) && tagOf(other) === tag,
    );
    const [other] = same;
    if (option.kind === 'literal' || option.kind === 'other' || same.length !== 1 || other === undefined) continue;
    lost.splice(lost.indexOf(option), 1);
    added.splice(added.indexOf(other), 1);
    found.push(...differences(option, other, tag === undefined ? at : `${at}(${tag})`));
  }
  const isAnother = lost.length === before.length && added.length === after.length && found.length === 0;
  if (isAnother && lost.some(({ kind }) => kind !== 'literal')) {
    return [{ at, change: 'type', before: textOf(before), after: textOf(after) }];
  }
  for (const { text } of added) found.push({ at, change: 'new option', type: text });
  for (const { text } of lost) found.push({ at, change: 'option gone', type: text });
  return found;
}

/** The first member that allows only one value, such as `kind 'human'`: this member identifies the option of a union. @param {Shape} shape */
function tagOf(shape) {
  if (shape.kind === 'named') return shape.name;
  if (shape.kind !== 'object') return undefined;
  for (const [name, { shape: member }] of shape.members) if (member.kind === 'literal') return `${name} ${member.text}`;
  return undefined;
}

/** @param {readonly Shape[]} options */
function textOf(options) {
  return options.map(({ text }) => text).join(' | ');
}

/** @param {Shape} shape @returns {readonly Shape[]} */
function optionsOf(shape) {
  return shape.kind === 'union' ? shape.options : [shape];
}
