// Describes changes in plain words.

/** @typedef {import('./compare.mjs').Change} Change */

// The types of some members would fill a page.
const MAX_LENGTH = 300;

/**
 * One paragraph for each type that changed, with one line for each change.
 * @param {readonly Change[]} changes
 */
export function describeChanges(changes) {
  const things = new Map(changes.map(({ of }) => [of, changes.filter((change) => change.of === of)]));
  return [...things]
    .map(([name, found]) => [name, ...found.map((change) => `  ${sentenceOf(change)}`)].join('\n'))
    .join('\n');
}

/** @param {Change} change */
function sentenceOf(change) {
  const subject = change.at === '' ? 'it' : change.at;
  switch (change.change) {
    case 'new':
      return `is new: ${shortened(change.type)}`;
    case 'gone':
      return 'is gone';
    case 'new member':
      return `${subject} is new and ${change.optional ? 'optional' : 'required'}: ${shortened(change.type)}`;
    case 'member gone':
      return `${subject} was removed; its type was ${shortened(change.type)}`;
    case 'optional':
      return `${subject} is optional now`;
    case 'required':
      return `${subject} is required now`;
    case 'new option':
      return `${subject} may be ${shortened(change.type)} now`;
    case 'option gone':
      return `${subject} is no longer ${shortened(change.type)}`;
    case 'type':
      return `${subject} was ${shortened(change.before)} and is ${shortened(change.after)} now`;
  }
}

/** @param {string} type */
function shortened(type) {
  return type.length > MAX_LENGTH ? `${type.slice(0, MAX_LENGTH)}…` : type;
}
