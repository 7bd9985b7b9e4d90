/**
 * The variables by which a program reaches the network from behind a proxy, and knows certificates of a company: for `pickEnvironment`.
 * A proxy may have a password in it, which an environment keeps and an argument shows to everybody.
 */
export const NETWORK_VARIABLES: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];
