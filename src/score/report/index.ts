export { renderReport } from './render-report.js';
export type {
  ReportAudit,
  ReportData,
  ReportDataset,
  ReportFigure,
  ReportFlag,
  ReportPicture,
} from './report-data.js';
