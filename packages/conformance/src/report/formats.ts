import { stringify } from 'yaml'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderEvidence } from './render-evidence.ts'
import type { Finding, Result } from './result.ts'
import { renderSarif } from './sarif.ts'
import { countsOf, exitCodeOf, type ReportOptions, summaryOf } from './summary.ts'
import { oneLine, visible } from './text.ts'

/**
 * Renders a result as JSON lines, each with a `type`: first `run`, then each `rule`, `finding`
 * (`baselined` says whether the baseline accepts it), `verdict` and `sighting`, then `coverage` and `summary`.
 *
 * @example
 * const findings = renderJsonl(result).split('\n').filter(Boolean).map((it) => JSON.parse(it))
 */
export function renderJsonl(result: Result, options: ReportOptions = {}): string {
  const { rules, findings, baselined, verdicts, sightings, coverage, ...run } = result
  const findingLine = (finding: Finding, isBaselined: boolean) => ({
    type: 'finding',
    ...finding,
    baselined: isBaselined,
    location: options.locate?.(finding.contract),
  })
  const summary = {
    type: 'summary',
    text: summaryOf(result, options),
    ...countsOf(result),
    exitCode: exitCodeOf(result, options),
  }
  const lines = [
    { type: 'run', ...run },
    ...rules.map((rule) => ({ type: 'rule', ...rule })),
    ...findings.map((finding) => findingLine(finding, false)),
    ...baselined.map((finding) => findingLine(finding, true)),
    ...verdicts.map((verdict) => ({ type: 'verdict', ...verdict })),
    ...sightings.map((sighting) => ({ type: 'sighting', ...sighting })),
    { type: 'coverage', ...coverage },
    summary,
  ]
  return lines.map((line) => `${visible(JSON.stringify(line))}\n`).join('')
}

/**
 * Renders verdicts as YAML for open-questions.yaml, by the same ids: `verdict`, what was `seen` if
 * it was contradicted, and the date `at` (UTC). Characters that YAML forbids, or that are
 * invisible, are escaped.
 *
 * @example
 * writeFileSync('verdicts.yaml', renderRegister(result))
 */
export function renderRegister({ verdicts, startedAt, url, target }: Result): string {
  const at = new Date(startedAt).toISOString().slice(0, 10)
  // The text of a question saves the reader from looking it up.
  const entries = verdicts.map(({ question, text, verdict, seen }) => {
    const entry = { verdict, ...(seen !== undefined && { seen: visible(seen) }), at }
    return `\n# ${oneLine(text)}\n${stringify({ [visible(question)]: entry }, { lineWidth: 0 })}`
  })
  return `# Observed at ${oneLine(url)} (${target}) on ${at}.\n${entries.join('')}`
}

/** The formats of `--report`. */
export const RENDERERS: Readonly<
  Record<string, (result: Result, options: ReportOptions) => string>
> = {
  junit: renderJunit,
  sarif: renderSarif,
  jsonl: renderJsonl,
  html: renderHtml,
  markdown: renderMarkdown,
  register: renderRegister,
  evidence: renderEvidence,
  json: (result) => `${visible(JSON.stringify(result, null, 2))}\n`,
}
