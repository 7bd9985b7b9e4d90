import { parseConfig, RepeatedNameError } from '@proto/core/internal';
import { InvalidArgumentError } from 'commander';
import type { JsonObject } from './options.ts';

/**
 * Parses the value of a flag. `previous` is the value of an earlier flag with the same name.
 * @throws commander's {InvalidArgumentError} if the value is invalid.
 */
export type ReadValue<T> = (text: string, previous: T | undefined) => T;

/** Accepts any string, including an empty string. */
export const anyText: ReadValue<string> = (text) => text;

export function oneOf<T extends string>(...words: readonly T[]): ReadValue<T> {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
    return word;
  };
}

export function wholeNumber(least: number): ReadValue<number> {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least) {
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    }
    return number;
  };
}

export const positiveNumber: ReadValue<number> = (text) => {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError('It must be a positive number greater than 0.');
  }
  return number;
};

export const jsonObject: ReadValue<JsonObject> = (text) => {
  let value: unknown;
  try {
    value = parseConfig(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof RepeatedNameError ? `${error.message}.` : 'It is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError('It must be a JSON object.');
  }
  return value as JsonObject;
};

/** Parses a JSON object, or the path of a file with a JSON object. */
export const jsonOrPath: ReadValue<JsonObject | string> = (text) =>
  text.trimStart().startsWith('{') ? jsonObject(text, undefined) : text;

/** Appends the value to the values of earlier flags with the same name. */
export function repeated<T>(read: ReadValue<T>): ReadValue<readonly T[]> {
  return (text, previous = []) => [...previous, read(text, undefined)];
}

/** Items are separated by commas, and by spaces outside parentheses, such as `Bash(git log:*), Read`. */
export const list: ReadValue<readonly string[]> = (text, previous = []) => [
  ...previous,
  ...Array.from(text.matchAll(/(?:\([^)]*\)|[^\s,])+/g), ([item]) => item),
];

/** The value `default`, and the preset that some hosts send as JSON, mean the agent's own set of tools. */
export const toolList: ReadValue<readonly string[] | 'default'> = (text, previous) => {
  if (text === 'default' || text.startsWith('{')) return 'default';
  return list(text, previous === 'default' ? undefined : previous);
};

/** The words are separated by commas. The list may be empty. */
export function listOf<T extends string>(...words: readonly T[]): ReadValue<readonly T[]> {
  const read = oneOf(...words);
  return (text, previous = []) => [...previous, ...list(text, undefined).map((word) => read(word, undefined))];
}
