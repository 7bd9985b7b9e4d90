// Writes the public names of each package, with their types, into `api/ENTRY.api.md` of the package, so that reviewers see each change to them.
// Without options it fails if a report is not up to date; `--accept` writes the reports. It fails in any case if a public name needs a type of an
// internal entry. Reads the built declarations: build first.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { packageFolders, ROOT } from './workspace.mjs';

/** @type {typeof import('@microsoft/api-extractor')} */
const { Extractor, ExtractorConfig, ExtractorLogLevel } = createRequire(import.meta.url)('@microsoft/api-extractor');

const accepts = process.argv.includes('--accept');
const scratch = mkdtempSync(join(tmpdir(), 'api-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** @type {string[]} */
const stale = [];
/** @type {string[]} */
const internal = [];
for (const path of packageFolders()) {
  const folder = join(ROOT, path);
  const { private: isPrivate, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (isPrivate === true) continue;
  const expected = new Set();
  for (const [entry, { types }] of Object.entries(exports)) {
    // Internal entries promise nothing. An entry of many modules is generated from one description, so it needs no report.
    if (types === undefined || entry === './internal' || entry.includes('*')) continue;
    const name = `${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}.api.md`;
    expected.add(name);
    if (!isUpToDate(folder, join(folder, types), name)) stale.push(join(path, 'api', name));
    const imports = readFileSync(join(scratch, name), 'utf8').matchAll(
      /^import (?:type )?\{ (\w+).*'(.+\/internal)'/gm,
    );
    for (const [, type, from] of imports) internal.push(`${basename(folder)} ${entry}: ${type} of ${from}`);
  }
  for (const name of existsSync(join(folder, 'api')) ? readdirSync(join(folder, 'api')) : []) {
    if (expected.has(name)) continue;
    if (accepts) rmSync(join(folder, 'api', name));
    else stale.push(join(path, 'api', name));
  }
}
if (stale.length > 0) {
  console.error(
    `The public names have changed. Review the change, and accept it with: node scripts/api-report.mjs --accept\n${stale.join('\n')}`,
  );
  process.exitCode = 1;
}
if (internal.length > 0) {
  console.error(
    `Public names name types of an internal entry, which promises nothing. Use a public entry:\n${internal.join('\n')}`,
  );
  process.exitCode = 1;
}

/** @param {string} folder @param {string} types The declarations of the entry. @param {string} reportFileName */
function isUpToDate(folder, types, reportFileName) {
  mkdirSync(join(folder, 'api'), { recursive: true });
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  };
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: { enabled: true, reportFileName, reportFolder: join(folder, 'api'), reportTempFolder: scratch },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  });
  // Otherwise API Extractor prints a line for each entry, and a warning for each new report.
  const messageCallback = (/** @type {import('@microsoft/api-extractor').ExtractorMessage} */ message) => {
    if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
  };
  const { apiReportChanged, errorCount } = Extractor.invoke(config, { localBuild: accepts, messageCallback });
  if (errorCount > 0) process.exitCode = 1;
  return accepts || !apiReportChanged;
}
