import type { Finding, Result } from '../engine/result.ts'
import type { Locate } from './locate.ts'
import { judgedRules } from './rule-results.ts'
import { countsOf, exitCodeOf, summaryOf } from './summary.ts'

/**
 * A run as JSON lines: one object a line, each with `type`. First the `run`, then each `rule`, `finding` (`baselined`
 * says whether a baseline lets it pass) and `verdict`, then the `coverage` and at last the `summary`.
 *
 * @example
 * const findings = renderJsonl(result).split('\n').filter(Boolean).map((it) => JSON.parse(it))
 */
export function renderJsonl(result: Result, { locate }: { readonly locate?: Locate } = {}): string {
  const { rules: _, findings, baselined, verdicts, coverage, ...run } = result
  const known = new Set<Finding>(baselined)
  const lines = [
    { type: 'run', ...run },
    ...judgedRules(result).map(({ rule, status, reason }) => ({ type: 'rule', ...rule, status, reason })),
    ...[...findings, ...baselined].map((finding) => ({
      type: 'finding',
      ...finding,
      baselined: known.has(finding),
      location: locate?.(finding.contract),
    })),
    ...verdicts.map((verdict) => ({ type: 'verdict', ...verdict })),
    { type: 'coverage', ...coverage },
    { type: 'summary', text: summaryOf(result), ...countsOf(result), exitCode: exitCodeOf(result) },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
