import { encodeLine } from '@proto/core/framing';
import { createFixtures, messages } from './fixtures.ts';
import { type Candidate, compare, ratios } from './measure.ts';
import { report } from './report.ts';

const TOTAL_BYTES = 512 * 1024;
const ESCAPES: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** S1: encoding a line that no reader splits at U+2028, compared with plain `JSON.stringify` and with the usual regular expression. */
export async function stringify(): Promise<void> {
  const { delta250, assistant1k, toolResult, cjk1k, cjk100k } = createFixtures();
  const marked = (times: number) => () => {
    const text = 'fifty characters of text, none of which is special'.repeat(8);
    const message = JSON.parse(assistant1k()) as { message: { content: [{ text: string }] } };
    message.message.content[0].text = text.replace(/.{50}/g, (part, at: number) =>
      at / 50 < times ? `${part}\u2028` : part,
    );
    return JSON.stringify(message);
  };
  const cases = {
    '250B': { make: delta250, goal: 0.88 },
    '1KB': { make: assistant1k, goal: 0.94 },
    '100KB': { make: toolResult, goal: 0.9 },
    'CJK 1KB': { make: cjk1k, goal: 0.87 },
    'CJK 100KB': { make: cjk100k, goal: 0.82 },
    'one U+2028': { make: marked(1), goal: 0.78 },
    'U+2028 each 50': { make: marked(8), goal: 0.4 },
  };
  for (const [name, { make, goal }] of Object.entries(cases)) {
    const values = messages(make, TOTAL_BYTES).map((message): unknown => JSON.parse(message));
    const encodeAll = (encode: (value: unknown) => string): Candidate => {
      return () => {
        let count = 0;
        for (const value of values) if (encode(value).endsWith('\n')) count++;
        return count;
      };
    };
    const candidates = {
      stringify: encodeAll((value) => `${JSON.stringify(value)}\n`),
      ours: encodeAll(encodeLine),
      regex: encodeAll(
        (value) => `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (found) => ESCAPES[found] as string)}\n`,
      ),
    };
    const result = await compare('stringify', candidates, values.length);
    report({
      id: 'S1',
      case: name,
      metric: 'ratio',
      value: result.of('ours').ratio,
      goal,
      tol: 0.04,
      base: 'JSON.stringify',
      noisy: result.noisy,
      note: ratios(result),
    });
  }
}
