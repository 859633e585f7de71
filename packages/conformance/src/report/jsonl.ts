import type { Finding, Result } from '../engine/result.ts'
import { visible } from '../model/visible.ts'
import { exitCodeOf } from './exit-codes.ts'
import type { ReportOptions } from './options.ts'
import { countsOf, summaryOf } from './summary.ts'

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
