export {
  createDriftReport,
  type DriftReport,
  type DriftReportOptions,
  type Finding,
  type FindingCode,
} from './drift-report.ts';
