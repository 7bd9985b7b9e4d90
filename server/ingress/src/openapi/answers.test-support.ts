import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { operations } from './operations.ts';
import { openApiDocument } from './openapi-document.ts';
import { schemas } from './schemas.ts';

const document = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ components: { schemas } }, 'document');
const checks = new Map<object, ValidateFunction>();
const patterns = operations.map(({ method, path }) => ({
  method,
  path: path.replace(':id', '{id}'),
  pattern: new RegExp(`^${path.replace(':id', '[^/]+')}$`),
}));

/** Throws if the OpenAPI document does not describe an answer for its operation. Answers of other addresses are refusals. */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const said = `${method} ${path} ${status}`;
  const [pathname = ''] = path.split('?');
  const found = patterns.find((one) => one.method === method.toLowerCase() && one.pattern.test(pathname));
  const { responses } = (found && document.paths[found.path]?.[found.method]) ?? { responses: {} };
  const schema = responses[String(status)]?.content?.['application/json']?.schema;
  if (found !== undefined && schema === undefined) throw new Error(`${said} is not described`);
  const check = checkOf(schema ?? { $ref: '#/components/schemas/Error' });
  if (!check(body))
    throw new Error(`${said} is not as described: ${ajv.errorsText(check.errors)}: ${JSON.stringify(body)}`);
}

function checkOf(schema: object): ValidateFunction {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
  checks.set(schema, check);
  return check;
}
