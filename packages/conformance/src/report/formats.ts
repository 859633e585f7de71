import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderEvidence } from './render-evidence.ts'
import type { Result } from './result.ts'
import { renderSarif } from './sarif.ts'
import type { ReportOptions } from './summary.ts'
import { visible } from './text.ts'

/** The formats of `--report`. */
export const RENDERERS: Readonly<
  Record<string, (result: Result, options: ReportOptions) => string>
> = {
  junit: renderJunit,
  sarif: renderSarif,
  html: renderHtml,
  markdown: renderMarkdown,
  evidence: renderEvidence,
  json: (result) => `${visible(JSON.stringify(result, null, 2))}\n`,
}
