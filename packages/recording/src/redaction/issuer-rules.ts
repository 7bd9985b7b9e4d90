/**
 * The form of an issuer's keys or tokens. The table has one row for each form. Many rows follow the rules of gitleaks (config/gitleaks.toml),
 * rewritten for JavaScript and shortened to a prefix and the alphabet of the remaining characters. All other rows follow the documentation of the
 * issuers.
 *
 * gitleaks: MIT License, Copyright (c) 2019 Zachary Rice. Permission is hereby granted, free of charge, to any person obtaining a copy of this software
 * and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use,
 * copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to
 * do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial
 * portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
 * ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
 * OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
export interface IssuerRule {
  /** The literal prefix of every secret that the rule finds. Several rows may describe the same issuer. */
  readonly prefix: string;
  /**
   * The source of a pattern for the remaining characters of the secret. Each part is one bounded character class, so that matching takes linear time.
   */
  readonly rest: string;
  /**
   * How strict the rule is. With `loose`, the secret may follow a letter or a digit, because only secrets have this prefix. With `exact`, the secret
   * need not look random.
   */
  readonly mode: 'loose' | 'exact' | 'usual';
}

const rule = (prefix: string, rest: string, mode: IssuerRule['mode'] = 'usual'): IssuerRule => ({ prefix, rest, mode });
const WORD = String.raw`[\w-]`;
const PLAIN = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';
const BASE64 = '[A-Za-z0-9+/=]';

/** The rules for the keys and tokens of all issuers. The lengths are minimum lengths, because issuers sometimes lengthen their keys. */
export const ISSUER_RULES: readonly IssuerRule[] = [
  // Model providers.
  rule('sk-ant-', `${WORD}{16,}`, 'loose'),
  rule('sk-proj-', `${WORD}{16,}`, 'loose'),
  rule('sk-svcacct-', `${WORD}{16,}`, 'loose'),
  rule('sk-admin-', `${WORD}{16,}`),
  rule('sk-or-v1-', `${WORD}{16,}`, 'loose'),
  rule('sk-', `${WORD}{16,}`),
  rule('gsk_', `${PLAIN}{20,}`),
  rule('xai-', `${WORD}{20,}`),
  rule('pplx-', `${WORD}{20,}`, 'loose'),
  rule('r8_', `${PLAIN}{20,}`),
  rule('hf_', `${PLAIN}{20,}`),
  rule('api_org_', `${PLAIN}{20,}`),
  rule('tvly-', `${WORD}{16,}`),
  rule('fw_', `${PLAIN}{20,}`),
  rule('nvapi-', `${WORD}{20,}`, 'loose'),
  rule('tgp_v1_', `${WORD}{20,}`, 'loose'),
  rule('jina_', `${WORD}{20,}`),
  rule('pcsk_', `${WORD}{20,}`),
  rule('voyage-', `${PLAIN}{20,}`),
  rule('pa-', `${WORD}{30,}`),
  rule('csk-', `${PLAIN}{20,}`),
  rule('fc-', `${HEX}{24,}`),
  rule('lsv2_', `${WORD}{20,}`),
  rule('sk-lf-', `${WORD}{20,}`),
  rule('bedrock-api-key-', `${BASE64}{16,}`, 'loose'),
  rule('ABSK', `${BASE64}{60,}`),
  // Cloud providers.
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T'].map((prefix) => rule(prefix, '[A-Z0-9]{16,17}(?![A-Za-z0-9])', 'exact')),
  rule('AIza', `${WORD}{30,}`),
  rule('ya29.', `${WORD}{16,}`),
  rule('GOCSPX-', `${WORD}{16,}`, 'loose'),
  rule('1//0', `${WORD}{30,}`),
  rule('LTAI', `${PLAIN}{16,}`),
  rule('AKID', `${PLAIN}{24,}`),
  rule('dop_v1_', `${HEX}{20,}`, 'loose'),
  rule('doo_v1_', `${HEX}{20,}`, 'loose'),
  rule('dor_v1_', `${HEX}{20,}`, 'loose'),
  rule('dapi', `${HEX}{28,}`),
  rule('hvs.', `${WORD}{16,}`),
  rule('hvb.', `${WORD}{16,}`),
  rule('hvr.', `${WORD}{16,}`),
  rule('atlasv1.', `${WORD}{20,}`, 'loose'),
  rule('v1.0-', `${HEX}{24}-${HEX}{60,}`),
  rule('HRKU-', `${WORD}{20,}`, 'loose'),
  rule('fo1_', `${WORD}{30,}`),
  rule('fm1r_', `${BASE64}{30,}`),
  rule('fm1a_', `${BASE64}{30,}`),
  rule('fm2_', `${BASE64}{30,}`),
  rule('pul-', `${HEX}{30,}`),
  rule('dp.', String.raw`(?:pt|st|ct|scim|audit)\.[\w.-]{20,}`),
  rule('tskey-', `${WORD}{16,}`, 'loose'),
  rule('sbp_', `${HEX}{30,}`),
  rule('sb_secret_', `${WORD}{16,}`, 'loose'),
  rule('nfp_', `${PLAIN}{30,}`),
  rule('vcp_', `${PLAIN}{20,}`),
  rule('napi_', `${PLAIN}{30,}`),
  rule('npg_', `${PLAIN}{10,}`),
  rule('rnd_', `${PLAIN}{20,}`),
  rule('pscale_', String.raw`(?:tkn|oauth|pw)_[\w.-]{16,}`, 'loose'),
  rule('4b1d', `${PLAIN}{38,}`),
  rule('sha256~', `${WORD}{40,}`),
  rule('ops_eyJ', `${BASE64}{40,}`, 'loose'),
  rule('A3-', String.raw`[A-Z0-9]{6}-[A-Z0-9-]{20,}`, 'exact'),
  rule('dt0c01.', String.raw`[A-Z0-9]{20,256}\.[A-Z0-9]{40,}`, 'exact'),
  rule('dt0s01.', String.raw`[A-Z0-9]{8,256}\.[A-Z0-9]{40,}`, 'exact'),
  // Source code and package hosting.
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => rule(prefix, `${PLAIN}{16,}`, 'loose')),
  rule('github_pat_', String.raw`\w{16,}`, 'loose'),
  ...['pat', 'ptt', 'rt', 'dt', 'cbt', 'soat', 'ffct', 'ft', 'imt', 'agent', 'oas'].map((kind) =>
    rule(`gl${kind}-`, String.raw`[\w.-]{16,}`),
  ),
  rule('GR1348941', `${WORD}{16,}`, 'loose'),
  rule('npm_', `${PLAIN}{20,}`),
  rule('pypi-', `${WORD}{16,}`),
  rule('rubygems_', `${HEX}{20,}`, 'loose'),
  rule('CLOJARS_', `${PLAIN}{40,}`),
  rule('dckr_', String.raw`(?:pat|oat)_${WORD}{16,}`, 'loose'),
  rule('ATATT', String.raw`[\w=-]{20,}`),
  rule('ATCTT', String.raw`[\w=-]{20,}`),
  rule('ATBB', `${PLAIN}{24,}`),
  rule('AKCp', `${PLAIN}{40,}`),
  rule('cmVmd', `${PLAIN}{50,}`),
  rule('sgp_', `${WORD}{20,}`),
  rule('sqp_', `${HEX}{30,}`),
  rule('squ_', `${HEX}{30,}`),
  rule('sqa_', `${HEX}{30,}`),
  rule('CCIPAT_', `${WORD}{20,}`, 'loose'),
  rule('bkua_', `${HEX}{30,}`),
  rule('oy2', '[a-z0-9]{43}'),
  rule('cio', `${PLAIN}{32}(?![A-Za-z0-9])`),
  // Payment, mail and messaging.
  ...['sk', 'rk'].flatMap((kind) =>
    ['live', 'test', 'prod'].map((mode) => rule(`${kind}_${mode}_`, `${PLAIN}{10,}`, 'loose')),
  ),
  rule('whsec_', String.raw`[\w+/=-]{16,}`),
  ...['at', 'ss', 'ca', 'pa'].map((kind) => rule(`shp${kind}_`, `${HEX}{20,}`, 'loose')),
  rule('sq0', String.raw`(?:atp|csp|idp)-[\w-]{16,}`, 'loose'),
  rule('EAAA', `${WORD}{40,}`),
  rule('EAA', `${PLAIN}{60,}`),
  rule('access_token$', String.raw`(?:production|sandbox)\$[0-9a-z]{16}\$${HEX}{32}`, 'loose'),
  rule('access-', String.raw`(?:sandbox|development|production)-[0-9a-f-]{36}`, 'loose'),
  rule('EZAK', `${PLAIN}{50,}`),
  rule('EZTK', `${PLAIN}{50,}`),
  rule('FLWSECK', String.raw`[\w-]{12,}`),
  rule('duffel_', String.raw`(?:test|live)_[\w=-]{30,}`, 'loose'),
  rule('shippo_', String.raw`(?:live|test)_[0-9a-fA-F]{30,}`, 'loose'),
  rule('rzp_', String.raw`(?:live|test)_[A-Za-z0-9]{12,}`),
  rule('SG.', String.raw`[\w-]{16,}(?:\.[\w-]{16,})?`),
  rule('xkeysib-', String.raw`[\w-]{40,}`, 'loose'),
  rule('key-', `${HEX}{30,}`),
  rule('re_', String.raw`[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}`),
  rule('SK', `${HEX}{32}(?![0-9a-fA-F])`),
  rule('AC', `${HEX}{32}(?![0-9a-fA-F])`),
  rule('xox', String.raw`[a-z](?:\.xox[bp])?-[\w-]{10,}`),
  rule('xapp-', String.raw`[\w-]{10,}`),
  rule('xwfp-', String.raw`[\w-]{10,}`),
  rule('MTA', String.raw`[\w-]{17,25}\.[\w-]{6}\.[\w-]{27,40}`),
  rule('EAAC', `${PLAIN}{60,}`),
  // Tools for teams.
  rule('aio_', `${PLAIN}{26,}`),
  rule('AVNU_', `${BASE64}{30,}`),
  rule('AVNS_', `${WORD}{14,}`),
  rule('cfk_', `${PLAIN}{30,}`),
  rule('cfut_', `${PLAIN}{30,}`),
  rule('cfat_', `${PLAIN}{30,}`),
  rule('CFPAT-', `${WORD}{20,}`),
  rule('ctp_', `${PLAIN}{30,}`),
  rule('sk_', `${HEX}{30,}`),
  rule('DDRCM_', `${PLAIN}{40,}`),
  rule('dvc_server_', String.raw`\w{30,}`),
  rule('gcntfy-', `${WORD}{40,}`),
  rule('lin_', String.raw`(?:api|oauth)_[A-Za-z0-9]{20,}`, 'loose'),
  rule('ntn_', `${PLAIN}{20,}`),
  rule('secret_', `${PLAIN}{32,}`),
  rule('figd_', `${WORD}{20,}`),
  rule('PMAK-', `${HEX}{20,}-?${HEX}*`),
  rule('glsa_', `${PLAIN}{20,}(?:_${HEX}{8})?`),
  rule('glc_', `${BASE64}{30,}`),
  rule('sntrys_', `${BASE64}{16,}(?:_${BASE64}+)?`),
  rule('sntryu_', `${HEX}{30,}`),
  rule('phc_', `${PLAIN}{30,}`),
  rule('phx_', `${PLAIN}{30,}`),
  rule('NRAK-', '[A-Z0-9]{20,}', 'exact'),
  rule('NRII-', `${WORD}{24,}`),
  rule('NRJS-', `${HEX}{16,}`),
  rule('rdme_', `${PLAIN}{40,}`),
  rule('pnu_', `${PLAIN}{30,}`),
  rule('sm_aat_', `${PLAIN}{14,}`),
  rule('sm_pat_', `${PLAIN}{14,}`),
  rule('sm_sat_', `${PLAIN}{14,}`),
  rule('tk-us-', `${WORD}{30,}`),
  rule('ico-', `${PLAIN}{30,}`),
  rule('fio-u-', `${WORD}{30,}`),
  rule('p8e-', `${PLAIN}{30,}`),
  rule('dnkey-', `${WORD}{40,}`),
  rule('API-', '[A-Z0-9]{25,}', 'exact'),
  rule('s-s4t2', String.raw`(?:ud|af)-[0-9a-f]{40,}`, 'loose'),
  rule('pat', String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{40,}`),
  rule('pat-', String.raw`(?:na|eu|ap)\d-[0-9a-f-]{36}`, 'exact'),
  rule('pat.', String.raw`[\w-]{16,256}\.[A-Za-z0-9]{16,256}\.[A-Za-z0-9]{16,}`),
  rule('sat.', String.raw`[\w-]{16,256}\.[A-Za-z0-9]{16,256}\.[A-Za-z0-9]{16,}`),
  rule('tfp_', `${WORD}{30,}`),
  rule('pk.eyJ', String.raw`[\w-]{20,256}\.[\w-]{16,}`, 'loose'),
  rule('sk.eyJ', String.raw`[\w-]{20,256}\.[\w-]{16,}`, 'loose'),
  rule('AGE-SECRET-KEY-1', '[A-Z0-9]{20,}', 'loose'),
  rule('age-secret-key-1', '[a-z0-9]{20,}', 'loose'),
  rule('AGE-PLUGIN-', '[A-Z0-9-]{40,}'),
  rule('ZXlK', `${BASE64}{40,}`),
  // JSON Web Tokens: three base64url parts. The first two parts contain JSON, and the last may be missing.
  rule('eyJ', String.raw`[\w-]{6,512}\.eyJ[\w-]{6,}(?:\.[\w-]*)?`),
];
