/** The content security policy with which a server shows a report: no script, no request, and an origin of its own. */
export const REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
