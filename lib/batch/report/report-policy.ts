import { contentPolicy } from './html-page.ts';
import { PAGE_SCRIPT } from './report-script.ts';

/** The content security policy with which a server shows a report: in addition, it has an origin of its own. */
export const REPORT_POLICY = `sandbox allow-scripts allow-downloads; ${contentPolicy(PAGE_SCRIPT)}`;
