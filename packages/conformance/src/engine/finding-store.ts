import { createHash } from 'node:crypto'
import { type Citation, isFact, questionOf } from './citation.ts'
import { type Evidence, type Finding, SEVERITIES, type Severity } from './result.ts'
import type { Impact, Violation } from './violation.ts'

interface FindingRule {
  readonly id: string
  readonly advice: string
  readonly impact?: Impact
  readonly repeats?: readonly string[]
}

export interface Cited extends Violation {
  readonly citation: Citation
}

/** Deduplicates findings by rule, operation and node of the contract, and keeps the smallest case. */
export interface FindingStore {
  add(rule: FindingRule, violation: Cited, evidence: () => Evidence): void
  findings(): Finding[]
  count(rule: string): number
}

/** Beyond this limit a rule still fails, but its findings are not listed. */
const MAX_FINDINGS = 5_000

export function createFindingStore(): FindingStore {
  const found = new Map<string, Finding>()
  const counts = new Map<string, number>()
  const places = new Set<string>()
  return {
    add(rule, violation, evidence) {
      counts.set(rule.id, (counts.get(rule.id) ?? 0) + 1)
      const at = `${violation.operation} ${violation.contract}`
      if (rule.repeats?.some((it) => places.has(`${it} ${at}`))) return
      places.add(`${rule.id} ${at}`)
      const id = idOf(rule.id, violation)
      const known = found.get(id)
      if (!known && found.size >= MAX_FINDINGS) return
      found.set(
        id,
        known ? smaller(known, violation, evidence()) : findingOf(id, rule, violation, evidence()),
      )
    },
    findings: () => [...found.values()].sort(bySeverity),
    count: (rule) => counts.get(rule) ?? 0,
  }
}

/** Stable from run to run, so it contains no ids or generated strings. */
function idOf(rule: string, { operation = '', contract, about = '' }: Violation): string {
  const hash = createHash('sha256')
    .update(`${rule}\n${operation}\n${contract}\n${about}`)
    .digest('hex')
    .slice(0, 8)
  return `${rule}:${operation || 'all'}:${hash}`
}

function findingOf(id: string, rule: FindingRule, violation: Cited, evidence: Evidence): Finding {
  const { operation, message, contract, citation, impact = rule.impact } = violation
  return {
    id,
    rule: rule.id,
    operation,
    kind: isFact(citation) ? 'failure' : 'deviation',
    severity: severityOf(citation, impact),
    message,
    advice: rule.advice,
    contract,
    cites: citation,
    question: questionOf(citation),
    evidence,
    count: 1,
  }
}

function severityOf(citation: Citation, impact: Impact | undefined): Severity {
  if (impact === 'critical') return 'critical'
  if (isFact(citation)) return 'error'
  return impact === 'high' ? 'warning' : 'note'
}

function smaller(known: Finding, { message }: Violation, evidence: Evidence): Finding {
  const count = known.count + 1
  const isSmaller = sizeOf(evidence) < sizeOf(known.evidence)
  return isSmaller ? { ...known, count, message, evidence } : { ...known, count }
}

function sizeOf({ request, path }: Evidence): number {
  return request.length + path.length
}

function bySeverity(a: Finding, b: Finding): number {
  const rank = (it: Finding) => SEVERITIES.indexOf(it.severity)
  return rank(a) - rank(b) || a.id.localeCompare(b.id)
}
