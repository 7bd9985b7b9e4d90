import { findRequirement } from '@proto/conformance';

import { checkBridge } from './bridge-checks.mjs';
import { inRemoteLab } from './remote-lab.mjs';
import { checkSocketViewer, checkStreamViewer } from './viewer-checks.mjs';

/** @typedef {{ name: string, role: string, how: string, seen: { id: string, isKept: boolean }[] }} ClientResult */

const CLIENTS = [
  { name: 'browser SDK', role: 'viewer', how: 'event stream and POST', check: checkStreamViewer },
  { name: 'browser SDK', role: 'viewer', how: 'WebSocket with plain lines', check: checkSocketViewer },
  { name: 'bridge', role: 'worker', how: 'event stream and POST', check: checkBridge },
];

/**
 * Runs the published clients of remote sessions against our server, through a proxy that notes what they send and disturbs them. Returns for
 * each the requirements of its role that the run shows.
 * @param {string} version the version of the SDK that brings the clients
 * @returns {Promise<ClientResult[]>}
 */
export async function runRemoteClients(version) {
  const results = [];
  for (const { name, role, how, check } of CLIENTS) {
    /** @type {ClientResult['seen']} */
    const seen = [];
    await inRemoteLab((lab) =>
      check(lab, (/** @type {string} */ id, /** @type {boolean} */ isKept) => seen.push({ id, isKept })),
    );
    for (const { id } of seen)
      if (findRequirement(id) === undefined) throw new Error(`No requirement is called ${id}.`);
    const broken = seen.filter(({ isKept }) => !isKept).map(({ id }) => id);
    console.log(
      `${name} ${version}, ${how}: ${seen.length - broken.length} of ${seen.length} requirements kept ${broken.join(' ')}`,
    );
    results.push({ name: `${name} ${version}`, role, how, seen });
  }
  return results;
}
