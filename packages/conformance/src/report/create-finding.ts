import { createHash } from 'node:crypto'
import { withoutResponse } from '../model/exchange.ts'
import {
  type At,
  buildStatementName,
  type Cites,
  type Evidence,
  type Found,
  type Kind,
  SEVERITIES,
  type Severity,
} from './report.ts'
import { atMost, oneLine } from './text.ts'

/** Says what a citation rests on as a text, whichever entry of the contract says so. */
function describeSource(cites: Cites): string {
  if ('question' in cites) return buildStatementName(cites)
  if ('fact' in cites) return JSON.stringify({ fact: cites.fact })
  // Not the earlier response itself, since an id must be the same in each run.
  if ('own' in cites) return 'own'
  return JSON.stringify(cites)
}

/** A failed case of a rule. */
export type FailedCase = Pick<Found, 'rule' | 'cites' | 'message' | 'evidence'> & {
  readonly at: At
}

/** The length of a message in characters. */
const MAX_MESSAGE_LENGTH = 500

/**
 * Builds the id of the finding to which a failed case belongs: `<rule>:<operation>:<hash>`. Failed cases
 * with the same rule, operation, citation and subject belong to one finding.
 */
export function buildFindingId(failed: FailedCase): string {
  const { rule, cites, at } = failed
  const operation = chooseOperation(failed)
  const hash = createHash('sha256')
    .update([rule, operation, describeSource(cites), at.about ?? ''].join('\n'))
    .digest('hex')
  return `${rule}:${operation ?? 'all'}:${hash.slice(0, 8)}`
}

/** Creates a finding from its first failed case, or from its most severe one. */
export function createFinding(id: string, failed: FailedCase): Found {
  const { rule, evidence, cites, message, at } = failed
  const { keyword } = at
  return {
    id,
    rule,
    operation: chooseOperation(failed),
    kind: chooseKind(failed),
    severity: chooseSeverity(failed),
    cites,
    ...(keyword !== undefined && { keyword }),
    // It quotes names and values of the service, which may be long or have line breaks.
    message: atMost(oneLine(message), MAX_MESSAGE_LENGTH),
    evidence: withoutUnusedParts(evidence),
    count: 1,
  }
}

/**
 * Adds a failed case to its finding, which shows the most severe one: a customer's record may be the first
 * case, and another partner's the hundredth.
 */
export function addCase(finding: Found, failed: FailedCase): Found {
  const isWorse = isMoreSevere(chooseSeverity(failed), finding.severity)
  const mostSevere = isWorse ? createFinding(finding.id, failed) : finding
  return { ...mostSevere, count: finding.count + 1 }
}

/** Chooses the operation that a finding names; undefined if it concerns no single one. */
function chooseOperation({ evidence, at }: FailedCase): string | undefined {
  if (at.isOfAll) return undefined
  const operationOfEvidence = evidence.type === 'exchange' ? evidence.operation?.id : undefined
  return at.operation ?? operationOfEvidence
}

/** Only a fact makes a failure: a statement of the source document, or the contract. */
export function chooseKind({ cites }: Pick<FailedCase, 'cites'>): Kind {
  return 'fact' in cites || 'pointer' in cites ? 'failure' : 'deviation'
}

/** Chooses how severe a failed case is, from what it cites and from the impact that its rule names, if any. */
function chooseSeverity(failed: FailedCase): Severity {
  const { cites, at } = failed
  if (at.impact === 'critical') return 'critical'

  // What contradicts an earlier response of the service is critical, unless its rule says that it is only `high`.
  const isOfHighImpact = at.impact === 'high'
  if ('own' in cites) return isOfHighImpact ? 'warning' : 'critical'

  const isFailure = chooseKind(failed) === 'failure'
  if (isFailure) return 'error'
  return isOfHighImpact ? 'warning' : 'note'
}

/** The evidence without what no report shows, since there are many findings. */
function withoutUnusedParts(event: Evidence): Evidence {
  if (event.type === 'delivery') return event
  return { ...withoutResponse(event), response: event.response }
}

function isMoreSevere(one: Severity, other: Severity): boolean {
  return SEVERITIES.indexOf(one) < SEVERITIES.indexOf(other)
}

/** Sorts findings: the most severe first, then by their ids. */
export function bySeverity(a: Found, b: Found): number {
  if (isMoreSevere(a.severity, b.severity)) return -1
  if (isMoreSevere(b.severity, a.severity)) return 1
  return a.id.localeCompare(b.id)
}
