import { REPORT_SCRIPT_HASH } from './report-script.ts';

/** What a report may do: run its own script; no request. */
export const REPORT_CONTENT = `default-src 'none'; script-src 'sha256-${REPORT_SCRIPT_HASH}'; style-src 'unsafe-inline'`;

/** The content security policy with which a server shows a report: in addition, it has an origin of its own. */
export const REPORT_POLICY = `sandbox allow-scripts allow-downloads; ${REPORT_CONTENT}`;
