// Generated from a seed, so that secret scanners find nothing in this source, and every run uses the same secrets.
let state = 20_251;
const next = () => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
};
const from = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const alnum = (length: number) => from(ALNUM, length);
const word = (length: number) => from(`${ALNUM}-_`, length);
const hex = (length: number) => from('0123456789abcdef', length);
const upper = (length: number) => from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const password = () => `${alnum(6)}#${alnum(4)}`;
const pem = (kind = 'RSA ') => {
  const body = [alnum(64), alnum(64), `${alnum(40)}==`];
  return { body, text: [`-----BEGIN ${kind}PRIVATE KEY-----`, ...body, `-----END ${kind}PRIVATE KEY-----`].join('\n') };
};

/** A text with a secret. After redaction, no eight consecutive characters of the secret may be left. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  readonly secret: string;
}

const ISSUED: readonly (readonly [prefix: string, rest: () => string])[] = [
  ['sk-ant-api03-', () => `${word(93)}AA`],
  ['sk-proj-', () => word(48)],
  ['GOCSPX-', () => word(28)],
  ['glsa_', () => `${alnum(32)}_${hex(8)}`],
  ['figd_', () => word(40)],
  ['pplx-', () => alnum(48)],
  ['r8_', () => alnum(37)],
  ['hf_', () => alnum(34)],
  ['gsk_', () => alnum(52)],
  ['xai-', () => alnum(80)],
  ['sk_live_', () => alnum(24)],
  ['rk_live_', () => alnum(24)],
  ['whsec_', () => alnum(32)],
  ['AIza', () => word(35)],
  ['ya29.', () => word(80)],
  ['ghp_', () => alnum(36)],
  ['gho_', () => alnum(36)],
  ['github_pat_', () => `${alnum(22)}_${alnum(59)}`],
  ['glpat-', () => word(20)],
  ['xoxb-', () => `${from('0123456789', 12)}-${from('0123456789', 12)}-${alnum(24)}`],
  ['npm_', () => alnum(36)],
  ['pypi-', () => `AgEIcHlwaS5vcmc${word(60)}`],
  ['dop_v1_', () => hex(64)],
  ['SG.', () => `${word(22)}.${word(43)}`],
  ['shpat_', () => hex(32)],
  ['AKIA', () => upper(16)],
  ['ASIA', () => upper(16)],
  ['sq0atp-', () => word(22)],
  ['tvly-', () => alnum(32)],
  ['lin_api_', () => alnum(40)],
  ['ntn_', () => `${from('0123456789', 11)}${alnum(35)}`],
  ['secret_', () => alnum(43)],
  ['dapi', () => hex(32)],
  ['AGE-SECRET-KEY-1', () => upper(58)],
  ['SK', () => hex(32)],
  ['hvs.', () => word(95)],
  ['123456789:AA', () => word(33)],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx', () => `${alnum(20)}.${word(43)}`],
];

const NAMED: readonly (readonly [name: string, text: (secret: string) => string, secret?: () => string])[] = [
  ['arguments', (s) => JSON.stringify(['server', '--api-key', s, '--port', '80'])],
  ['flag', (s) => `server --auth-token ${s} --port 80`],
  ['flag with =', (s) => `server --client-secret=${s} --verbose`],
  ['client-key-data', (s) => `users:\n- user:\n    client-key-data: ${s}\n`, () => base64(pem().text)],
  ['docker auth', (s) => `{"auths":{"r.example":{"auth":"${s}"}}}`, () => base64(`robot:${alnum(12)}`)],
  ['ENCRYPTION_KEY', (s) => `ENCRYPTION_KEY=${s}\nPORT=3000`, () => hex(32)],
  ['SIGNING_KEY', (s) => `A=1\nSIGNING_KEY=${s}\n`, () => alnum(20)],
  ['SMTP_PASS', (s) => `SMTP_HOST=mail\nSMTP_PASS=${s}\n`, password],
  ['form body', (s) => `grant_type=password&username=me&password=${s}&scope=x`, () => alnum(10)],
  ['query', (s) => `GET /x?user=1&api_key=${s}&page=2`],
  ['secretKey', (s) => `{"accessKey":"minio","secretKey":"${s}"}`],
  ['pass', (s) => `{ host: 'smtp', auth: { user: 'me', pass: '${s}' } }`, password],
  ['passwords', (s) => `{"passwords":"${s}"}`, password],
  ['auth', (s) => `{"auth":"${s}"}`, () => alnum(24)],
  ['base64 of a key', (s) => `got ${s} from it`, () => base64(pem().text)],
  ['base64 of variables', (s) => `env: ${s}`, () => base64(`DB_PASSWORD=${alnum(12)}\nPORT=1\n`)],
  ['glued -p', (s) => `mysql -u root -p'${s}' shop`, password],
  ['sshpass', (s) => `sshpass -p ${s} ssh me@host`, () => alnum(11)],
  ['connection', (s) => `DATABASE_URL=postgres://shop:${s}@db.example:5432/shop`, () => alnum(14)],
  ['redis', (s) => `redis://:${s}@cache:6379/0`, () => alnum(14)],
  ['mongodb', (s) => `mongodb+srv://app:${s}@c.example/x?w=majority`, () => alnum(14)],
  ['bearer', (s) => `curl -H 'Authorization: Bearer ${s}' https://x.example`],
  ['basic', (s) => `authorization: Basic ${s}`, () => base64(`me:${alnum(10)}`)],
  ['cookie', (s) => `cookie: sid=${s}; theme=dark`],
  ['x-api-key', (s) => `> x-api-key: ${s}\n> accept: */*`],
  ['netrc', (s) => `machine x.example\n  login me\n  password ${s}\n`, () => alnum(12)],
  ['npmrc', (s) => `//registry.example/:_authToken=${s}`, () => alnum(32)],
  ['npmrc _auth', (s) => `//registry.example/:_auth=${s}`, () => base64(`me:${alnum(12)}`)],
  ['pgpass', (s) => `db.example:5432:shop:me:${s}`, () => alnum(12)],
  ['PEM', (s) => `-----BEGIN EC PRIVATE KEY-----\n${s}\n-----END EC PRIVATE KEY-----`, () => alnum(64)],
  [
    'PEM in a string',
    (s) => `{"private_key":"-----BEGIN PRIVATE KEY-----\\n${s}\\n-----END PRIVATE KEY-----\\n"}`,
    () => alnum(64),
  ],
  ['AWS secret', (s) => `[default]\naws_access_key_id = x\naws_secret_access_key = ${s}\n`, () => alnum(40)],
  [
    'Azure',
    (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};EndpointSuffix=x`,
    () => `${alnum(86)}==`,
  ],
  ['SAS', (s) => `https://a.blob.example/c?sv=2022&sr=b&sig=${s}&se=2030`, () => `${alnum(43)}%3D`],
  [
    'Slack webhook',
    (s) => `curl -X POST https://hooks.slack.com/services/T0${upper(7)}/B0${upper(7)}/${s}`,
    () => alnum(24),
  ],
  ['YAML', (s) => `db:\n  user: me\n  password: ${s}\n`, () => alnum(12)],
  ['YAML list', (s) => `env:\n  - name: API_TOKEN\n    value: ${s}\n`, () => alnum(20)],
  ['JSON list', (s) => `[{"name":"DB_PASSWORD","value":"${s}"}]`, () => alnum(20)],
  ['code', (s) => `const apiKey = "${s}";`, () => alnum(24)],
  ['Python', (s) => `client = Client(api_key='${s}', timeout=3)`, () => alnum(24)],
  ['Go', (s) => `clientSecret := "${s}"`, () => alnum(24)],
  ['XML', (s) => `<server><username>me</username><password>${s}</password></server>`, () => alnum(14)],
  ['SQL', (s) => `ALTER USER me IDENTIFIED BY '${s}';`, () => alnum(12)],
  ['heroku', (s) => `export HEROKU_API_KEY=${s}`, () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`],
  ['ADMIN_TOKEN', (s) => `ADMIN_TOKEN=${s}`],
  ['id_token', (s) => `{"id_token":"${s}"}`],
  ['minted', (s) => `X-Admin-Key: ${s}`],
  ['Dockerfile', (s) => `FROM node\nENV NPM_TOKEN ${s}\n`],
  ['a token of any service', (s) => `use ${s} there`, () => `zork_${alnum(36)}`],
  ['percent', (s) => `next=https%3A%2F%2Fx.example%3Faccess_token%3D${s}%26a%3D1`, () => alnum(30)],
];

export const SAMPLES: readonly Sample[] = [
  ...ISSUED.map(([prefix, rest]) => {
    const secret = prefix + rest();
    return { name: prefix, text: `got ${secret} from it`, secret };
  }),
  ...NAMED.map(([name, text, make = () => alnum(32)]) => {
    const secret = make();
    return { name, text: text(secret), secret };
  }),
];

const before = (text: string, secret: string, what: string) => text.replace(secret, () => what + secret);
const quoted = (text: string) => JSON.stringify(text);

/** The forms in which a text with a secret may arrive. */
export const CARRIERS: Readonly<Record<string, (sample: Sample) => string>> = {
  'a line': ({ text }) => text,
  'a JSON string': ({ text }) => quoted(text),
  'a JSON string in a JSON string': ({ text }) => quoted(quoted(text)),
  'a JSON string three deep': ({ text }) => quoted(quoted(quoted(text))),
  'a member of streamed JSON': ({ text }) => `{"command":${quoted(`x\n${text}\n`)},"description":"runs"}`,
  'an escaped line': ({ text }) => `done\\n${text.replaceAll('\n', String.raw`\n`)}\\nnext`,
  'a tab': ({ text }) => `a\\t${text.replaceAll('\n', String.raw`\n`)}\\tb`,
  'a coloured value': ({ text, secret }) => before(text, secret, '\u001B[32m'),
  'an escaped coloured value': ({ text, secret }) => quoted(before(text, secret, '\u001B[1;32m')),
  'a diff': ({ text }) =>
    `@@ -1,2 +1,3 @@\n a\n${text
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n')}\n b`,
  'numbered lines': ({ text }) =>
    text
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join('\n'),
  HTML: ({ text }) => `<pre>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</pre>`,
};

/** Texts that only look as if they contained a secret. */
export const LOOKALIKES: readonly string[] = [
  'const token = await f()',
  'if (password === undefined) return;',
  'interface A {\n  token: string;\n  password?: string;\n}',
  'const apiKey = process.env.API_KEY;',
  'api_key = os.environ["API_KEY"]',
  'hf_hub_download_function and basic authentication1',
  '{"tokens": 1234, "max_tokens": 4096, "input_tokens": 7}',
  'export API_KEY=<your-api-key>',
  'API_KEY=xxxxxxxxxxxx',
  'TOKEN=${GITHUB_TOKEN}',
  'curl -H "Authorization: Bearer $TOKEN" https://x.example',
  'Authorization: Bearer <token>',
  'password: ********',
  'commit 3f2b8c1e9d7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c',
  'session_id: 3f2b8c1e-1111-4222-8333-123456789abc',
  `"integrity": "sha512-${alnum(86)}=="`,
  `data:image/png;base64,iVBORw0KGgo${alnum(200)}`,
  'msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9 req_011CSHoEeqs5C35K2UUqR7Fy',
  'The password must be at least eight characters long. Your token expires soon.',
  'getAccessTokenFromRefreshTokenProvider handlePasswordResetConfirmation',
  'import { createTokenVerifier } from "./auth/create-token-verifier.js"',
  'key: value, key = row.id, sortKey: createdAt',
  '<input type="password" name="password" id="password">',
  'className="bg-secondary-500 text-primary-foreground/80 hover:bg-accent"',
  'function login(user: string, password: string): Promise<Token> {}',
  'return jwt.sign(payload, secret, { expiresIn: "1h" })',
  '"apiKeySource": "none"',
  'def authenticate(token: str, secret: Optional[str] = None):',
  'token = request.headers.get("Authorization")',
  'const secret = getSecret("db/password");',
  'public-key: ssh-rsa and cache-key: node-modules-v3-linux',
  'see https://x.example/docs/api-keys?page=2#creating-tokens',
  'password = input("Enter your password: ")',
  'Usage: tool --token string   the token to use',
  '"description": "The API key to use. Defaults to the API_KEY variable."',
  'keyboard: qwerty; monkey: business; tokenizer: cl100k_base',
  'for (const [key, value] of Object.entries(secrets)) {',
  'self.password = password',
  'PASSWORD_FILE=/run/secrets/db_password',
  'tokenUrl: "https://auth.example/oauth/token"',
  '+    auth: AuthConfig;',
  '{"type":"string","description":"password"}',
  'sk-learn-compatible-estimators and pypi-server-configuration',
  'npm_config_registry_url npm_lifecycle_event',
  'error: invalid token: unexpected end of input',
  'Set-Cookie header; cookie: none',
  'docker run -p 8080:8080 -u 1000:1000 image',
  "claude -p 'explain this project'",
  'http://localhost:3000/a@b and git@github.com:me/x.git',
  'foreign_key: user_id, nextPageToken: "CAUQAA", "stop_sequence": null',
  '"@types/jsonwebtoken": "^9.0.2"',
  'let secret: String = String::new();',
  'secretName: db-credentials',
  'credentials: "include"',
  'chatcmpl-9mXyZ1AbCdEfGhIjKlMnOpQrStUv resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  'node:internal/modules/cjs/loader:1143:15',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
];
