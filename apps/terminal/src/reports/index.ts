/** What happens to a bridge or a server, written for people or for programs. */
export { type BridgeReport, reportBridge } from './bridge-report.ts';
export { reportAsJson } from './report-as-json.ts';
export { reportServer, type ServerEvent, type ServerReport } from './server-report.ts';
