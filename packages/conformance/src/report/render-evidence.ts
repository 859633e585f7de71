import type { Finding, Result } from './result.ts'
import type { ReportOptions } from './summary.ts'
import { visible } from './text.ts'

/**
 * Renders as JSON what a service showed of each open question, for `pnpm answer`: the verdict, the cases of its
 * statements, the findings, and what was seen how often, masked. The statements of a question, such as `paging`, are
 * the parts of the contract's assumption, such as `order`; nothing has shown those that are `unsettled`.
 *
 * @example
 * writeFileSync('evidence.json', renderEvidence(result, { evidence: 'run' }))
 */
export function renderEvidence(result: Result, options: ReportOptions): string {
  const { url, contract, startedAt, requests, own } = result
  const incomplete = findIncompleteReason(result, options)
  const questions = result.verdicts.map(({ question, text, verdict, statements, unsettled }) => [
    question,
    {
      text,
      verdict,
      statements,
      unsettled,
      findings: listFindings(question, result).map(shownFinding),
      sightings: listSightings(question, result),
    },
  ])
  const evidence = {
    format: 1,
    kind: options.evidence ?? 'run',
    service: url,
    ...(own !== undefined && { own }),
    ...(incomplete !== undefined && { incomplete }),
    startedAt,
    contract,
    requests,
    form: result.form,
    failures: result.findings.filter(({ kind }) => kind === 'failure').length,
    questions: Object.fromEntries(questions),
  }
  return `${visible(JSON.stringify(evidence, null, 2))}\n`
}

/** Finds why a run does not show everything that it could. */
function findIncompleteReason(
  { interrupted }: Result,
  { isPart }: ReportOptions,
): string | undefined {
  if (interrupted !== undefined) return `it was interrupted: ${interrupted}`
  return isPart ? 'it was restricted with --only or --operation' : undefined
}

/** Lists the findings of a question, those that a baseline accepts included. */
function listFindings(question: string, { findings, baselined }: Result): Finding[] {
  return [...findings, ...baselined].filter((finding) => finding.question === question)
}

function shownFinding({ id, rule, operation, message, count, keyword, cites }: Finding) {
  const statement = 'question' in cites ? cites.statement : undefined
  return { id, rule, operation, statement, keyword, message, count }
}

function listSightings(question: string, { sightings }: Result) {
  const ofQuestion = sightings.filter((sighting) => sighting.question === question)
  return ofQuestion.map(({ question: _, ...sighting }) => sighting)
}
