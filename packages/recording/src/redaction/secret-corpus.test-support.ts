// The secrets are made up and assembled at run time, so that secret scanners do not find them in this source.
const letters = (length: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7z'.repeat(8).slice(0, length);
const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length);
const upper = (length: number) => 'ABCD2345EFGH67IJ'.repeat(4).slice(0, length);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', letters(43)].join('.');

/** One secret, the text around it, and the parts that must be removed. */
export interface SecretSample {
  readonly name: string;
  /** The secret in a typical context: the output of a tool, a file, a command line, a URL. */
  readonly text: string;
  readonly secret: string;
}

const sample = (name: string, secret: string, text = `got ${secret} from it`): SecretSample => ({ name, secret, text });

/** Secrets in the forms in which they occur in texts. */
export const SECRET_SHAPES: readonly SecretSample[] = [
  sample('Anthropic key', `sk-ant-api03-${letters(40)}`),
  sample('Anthropic OAuth token', `sk-ant-oat01-${letters(40)}`),
  sample('OpenAI key', `sk-proj-${letters(40)}`),
  sample('GitHub token', `ghp_${letters(36)}`),
  sample('GitHub app token', `ghs_${letters(36)}`),
  sample('GitHub fine-grained token', `github_pat_${letters(22)}_${letters(40)}`),
  sample('GitLab token', `glpat-${letters(20)}`),
  sample('AWS key id', `AKIA${upper(16)}`),
  sample('AWS secret key', letters(40), `aws_secret_access_key = ${letters(40)}`),
  sample('Google key', `AIza${letters(35)}`),
  sample('Google access token', `ya29.${letters(60)}`),
  sample('Slack token', `xoxb-${hex(12)}-${letters(24)}`),
  sample('Slack webhook', `T0/B0/${letters(24)}`, `curl https://hooks.slack.com/services/T0/B0/${letters(24)}`),
  sample('Stripe key', `sk_live_${letters(24)}`),
  sample('npm token', `npm_${letters(36)}`),
  sample('npmrc', letters(24), `//registry.example/:_authToken=${letters(24)}`),
  sample('PyPI token', `pypi-AgEI${letters(50)}`),
  sample('Hugging Face token', `hf_${letters(34)}`),
  sample('SendGrid key', `SG.${letters(22)}.${letters(43)}`),
  sample('Twilio key', `SK${hex(32)}`),
  sample('DigitalOcean token', `dop_v1_${hex(64)}`),
  sample('Telegram bot', `123456789:AA${letters(33)}`),
  sample('Vault token', `hvs.${letters(24)}`),
  sample('age key', `AGE-SECRET-KEY-1${upper(58)}`),
  sample('JWT', jwt),
  sample('private key', letters(64), `-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n-----END RSA PRIVATE KEY-----`),
  sample('private key that is cut off', letters(64), `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(64)}`),
  sample('Bearer', letters(30), `curl -H "Authorization: Bearer ${letters(30)}" x`),
  sample('Basic', base64('me:hunter22'), `curl -H 'Authorization: Basic ${base64('me:hunter22')}' x`),
  sample('own scheme', letters(20), `authorization: Token ${letters(20)}`),
  sample('key in a header', letters(20), `curl -H "x-api-key: ${letters(20)}" x`),
  sample('cookie', `session=${letters(20)}`, `Cookie: theme=dark; session=${letters(20)}`),
  sample('cookie that is set', letters(20), `< Set-Cookie: sid=${letters(20)}; HttpOnly`),
  sample('password in a URL', 'p@ss:w0rd', 'psql postgres://me:p@ss:w0rd@db.example/x'),
  sample('token in a URL', letters(20), `git clone https://${letters(20)}@git.example/x.git`),
  sample('token as a parameter', letters(20), `GET /x?a=1&access_token=${letters(20)}&b=2`),
  sample('signed URL', hex(64), `https://s3.example/x?X-Amz-Signature=${hex(64)}`),
  sample('connection string', `${letters(40)}==`, `AccountName=a;AccountKey=${letters(40)}==;Suffix=x`),
  sample('variable', 'hunter22!', 'export DB_PASSWORD=hunter22!'),
  sample('quoted variable', 'two words, one secret', 'export DB_PASSWORD="two words, one secret"'),
  sample('flag', 'hunter22', 'mysql --user=me --password hunter22 x'),
  sample('user and password of curl', 'me:hunter22', 'curl -u me:hunter22 https://x.example'),
  sample('netrc', 'hunter22', 'machine x.example login me password hunter22'),
  sample('JSON within a text', 'hunter22', '{"user":"me","client_secret":"hunter22"}'),
  sample('JSON within JSON', 'hunter22', JSON.stringify('{"user":"me","api_key":"hunter22"}')),
  sample('YAML', 'hunter22', 'db:\n  passphrase: hunter22\n'),
];

/** Texts that contain no secrets. */
export const HARMLESS: readonly string[] = [
  '{"input_tokens":1234,"output_tokens":5,"max_tokens":4096}',
  'a basic understanding of tokens; the author is authorized',
  'see https://x.example/a?page=2#key and mailto:me@x.example, git@x.example:me/x.git, ssh://dev@x.example',
  '3f2b8c1e-1111-4222-8333-123456789abc msg_01ABCdef toolu_01XYZ',
  'skeleton sk-short keyboard monkey passenger',
  'the user presses the key: it works',
];
