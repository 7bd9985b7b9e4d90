import { expect, test } from 'vitest';
import { promptContent, promptText } from './prompt-content.ts';

const image = { type: 'image', mimeType: 'image/png', data: 'iVBO' } as const;

test('texts, images, links and files become blocks of a user message', () => {
  expect(
    promptContent([
      { type: 'text', text: 'see' },
      image,
      { ...image, data: '', uri: 'https://a.example/i.png' },
      { type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' },
      { type: 'resource', resource: { uri: 'file:///b.ts', text: 'let b;' } },
      { type: 'resource', resource: { uri: 'file:///c.pdf', blob: 'JVBE', mimeType: 'application/pdf' } },
    ]),
  ).toEqual([
    { type: 'text', text: 'see' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/i.png' } },
    { type: 'text', text: '[@a.ts](file:///a.ts)' },
    { type: 'text', text: '<context ref="file:///b.ts">\nlet b;\n</context>' },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
  ]);
  expect(promptText([{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }])).toBe('one\ntwo');
});

test.each([
  { type: 'audio', mimeType: 'audio/wav', data: '' } as const,
  { ...image, mimeType: 'image/tiff' },
  { type: 'resource', resource: { uri: 'file:///d.zip', blob: '', mimeType: 'application/zip' } } as const,
])('content that the agent cannot read is refused with what to do: %j', (block) => {
  expect(() => promptContent([block])).toThrow(
    expect.objectContaining({ code: -32_602, message: expect.stringMatching(/send text, an image/) }),
  );
});
