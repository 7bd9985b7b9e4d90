/** Reports about a bridge or a server, as text for people or as JSON for programs. */
export { type BridgeReport, reportBridge } from './bridge-report.ts';
export { type AnsweredRequest, logServer, type ServerLog, type StoredEvents } from './log-server.ts';
export { reportAsJson } from './report-as-json.ts';
export { reportServer, type ServerEvent, type ServerReport } from './server-report.ts';
export { type CommandResult, reportResult } from './report-result.ts';
