import { createHash } from 'node:crypto'
import { withoutResponse } from '../model/exchange.ts'
import {
  type At,
  type Cites,
  type Evidence,
  type Found,
  type Kind,
  SEVERITIES,
  type Severity,
  statementOf,
} from './report.ts'
import { atMost, oneLine } from './text.ts'

/** What a citation rests on as a text, whichever entry of the contract says so. */
function sourceOf(cites: Cites): string {
  if ('question' in cites) return statementOf(cites)
  if ('fact' in cites) return JSON.stringify({ fact: cites.fact })
  if ('own' in cites) return 'own'
  return JSON.stringify(cites)
}

/** A failed case of a rule. */
type FailedCase = Pick<Found, 'rule' | 'cites' | 'message' | 'evidence'> & { readonly at: At }

/** The length of a message in characters. */
const MAX_MESSAGE_LENGTH = 500

/** The finding that a failed case shows. Cases of one rule, operation and source show the same one. */
export function createFinding({ rule, evidence, cites, message, at }: FailedCase): Found {
  const operationOfEvidence = evidence.type === 'exchange' ? evidence.operation?.id : undefined
  const { about = '', impact, isOfAll, keyword } = at
  const operation = isOfAll ? undefined : (at.operation ?? operationOfEvidence)
  const source = sourceOf(cites)
  const hash = createHash('sha256')
    .update([rule, operation, source, about].join('\n'))
    .digest('hex')
  const kind = 'fact' in cites || 'pointer' in cites ? 'failure' : 'deviation'
  return {
    id: `${rule}:${operation ?? 'all'}:${hash.slice(0, 8)}`,
    rule,
    operation,
    kind,
    severity: severityOf(kind, 'own' in cites ? 'critical' : impact),
    cites,
    ...(keyword !== undefined && { keyword }),
    // A service chooses names and values that are part of it.
    message: atMost(oneLine(message), MAX_MESSAGE_LENGTH),
    evidence: withoutUnusedParts(evidence),
    count: 1,
  }
}

function severityOf(kind: Kind, impact: At['impact']): Severity {
  if (impact === 'critical') return 'critical'
  if (kind === 'failure') return 'error'
  return impact === 'high' ? 'warning' : 'note'
}

/** The evidence without what no report shows, since there are many findings. */
function withoutUnusedParts(event: Evidence): Evidence {
  if (event.type === 'delivery') return event
  return { ...withoutResponse(event), response: event.response }
}

export function isMoreSevere(one: Found, other: Found): boolean {
  return SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(other.severity)
}

/** Sorts findings: the most severe first, then by their ids. */
export function bySeverity(a: Found, b: Found): number {
  if (isMoreSevere(a, b)) return -1
  if (isMoreSevere(b, a)) return 1
  return a.id.localeCompare(b.id)
}
