import { describe, expect, test } from 'vitest';
import { parseConfig, RepeatedNameError } from './parse-config.ts';

describe('parseConfig', () => {
  test.each([
    ['{"deny":["A"],"deny":["B"]}', '"deny"'],
    [String.raw`{"deny":[],"\u0064eny":[]}`, '"deny"'],
    ['{"a":{"b":[{"c":1,"c":1}]}}', '"c"'],
    ['[{"":1,"":2}]', '""'],
  ])('refuses %s', (text, name) => {
    expect(() => parseConfig(text)).toThrow(RepeatedNameError);
    expect(() => parseConfig(text)).toThrow(name);
  });

  test.each([
    '{"a":{"b":1},"c":{"b":2},"b":3}',
    '[{"a":1},{"a":1}]',
    String.raw`{"a":"{\"b\":1,\"b\":2}","b":"a"}`,
    '"a"',
    ' {"a" : ":", "b" :[":"]} ',
    '{"__proto__":1,"constructor":2}',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseConfig(text)).toEqual(JSON.parse(text));
  });

  test('refuses what is not JSON', () => {
    expect(() => parseConfig('{"a":1,}')).toThrow(SyntaxError);
  });
});
