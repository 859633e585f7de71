import { Document, type Pair, type Scalar } from 'yaml'
import { exitCodeOf } from './exit-codes.ts'
import type { ReportOptions } from './options.ts'
import type { Finding, Result, Verdict } from './result.ts'
import { countsOf, summaryOf } from './summary.ts'
import { oneLine, visible } from './text.ts'

/**
 * Renders a result as JSON lines, each with a `type`: first `run`, then each `rule`, `finding` (`baselined` says
 * whether the baseline accepts it) and `verdict`, then `coverage` and `summary`.
 *
 * @example
 * const findings = renderJsonl(result).split('\n').filter(Boolean).map((it) => JSON.parse(it))
 */
export function renderJsonl(result: Result, options: ReportOptions = {}): string {
  const { rules, findings, baselined, verdicts, coverage, ...run } = result
  const known = new Set<Finding>(baselined)
  const lines = [
    { type: 'run', ...run },
    ...rules.map((rule) => ({ type: 'rule', ...rule })),
    ...[...findings, ...baselined].map((finding) => ({
      type: 'finding',
      ...finding,
      baselined: known.has(finding),
      location: options.locate?.(finding.contract),
    })),
    ...verdicts.map((verdict) => ({ type: 'verdict', ...verdict })),
    { type: 'coverage', ...coverage },
    {
      type: 'summary',
      text: summaryOf(result, options),
      ...countsOf(result),
      exitCode: exitCodeOf(result, options),
    },
  ]
  return lines.map((line) => `${visible(JSON.stringify(line))}\n`).join('')
}

/**
 * Renders verdicts as YAML for open-questions.yaml, by the same ids: `verdict`, what was `seen` if it was
 * contradicted, and the date `at` (UTC). Characters that YAML forbids, or that are invisible, are escaped.
 *
 * @example
 * writeFileSync('verdicts.yaml', renderRegister(result))
 */
export function renderRegister({ verdicts, startedAt, url, target }: Result): string {
  const at = new Date(startedAt).toISOString().slice(0, 10)
  const document = new Document(
    Object.fromEntries(verdicts.map((it) => [visible(it.question), entryOf(it, at)])),
  )
  document.commentBefore = ` Observed at ${oneLine(url)} (${target}) on ${at}.`
  const texts = new Map(verdicts.map(({ question, text }) => [visible(question), text]))
  const { items = [] } = (document.contents ?? {}) as { items?: Pair<Scalar>[] }
  for (const { key } of items) {
    // Saves the reader from looking up the question.
    key.commentBefore = ` ${oneLine(texts.get(String(key.value)) ?? '')}`
    key.spaceBefore = true
  }
  return document.toString({ lineWidth: 0 })
}

function entryOf({ verdict, seen }: Verdict, at: string) {
  return { verdict, ...(seen !== undefined && { seen: visible(seen) }), at }
}
