import type { Finding } from '../engine/result.ts'

/** Findings of one rule that say the same, of several operations. */
export interface Group {
  /** The first of them, which stands for all. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds, each once. */
  readonly operations: readonly string[]
  /** Findings of other rules that this one brings about: the same operation failed over with the same answer. */
  readonly follows: readonly Finding[]
}

/** Rules whose findings bring about others, and the answers that do. */
const CAUSES: Readonly<Record<string, (status: number | undefined) => boolean>> = {
  'answers-come': (status) => status === undefined,
  'no-server-error': (status) => status !== undefined && status >= 500,
}

/**
 * Findings by rule and message, what brings about others first. What follows from a finding stands with it, and not
 * apart.
 *
 * @example
 * groupsOf(result.findings).map(({ first, operations }) => `${first.message} ${operations.join(', ')}`)
 */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const causes = Map.groupBy(
    findings.filter(({ rule }) => rule in CAUSES),
    placeOf,
  )
  const causeOf = (it: Finding) =>
    it.rule in CAUSES
      ? undefined
      : causes.get(placeOf(it))?.find(({ rule }) => CAUSES[rule]?.(it.evidence.status))
  const followers = Map.groupBy(findings, causeOf)
  const groups = [...Map.groupBy(followers.get(undefined) ?? [], keyOf).values()].map((all) =>
    groupOf(
      all,
      all.flatMap((it) => followers.get(it) ?? []),
    ),
  )
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function placeOf({ operation, evidence }: Finding): string {
  return `${operation} ${evidence.status}`
}

function keyOf({ rule, kind, severity, question, message }: Finding): string {
  return JSON.stringify([rule, kind, severity, question, message])
}

function groupOf(findings: readonly Finding[], follows: readonly Finding[]): Group {
  const operations = new Set(findings.map(({ operation }) => operation).filter((it) => it !== undefined))
  return { first: findings[0] as Finding, findings, operations: [...operations], follows }
}

/** The order of findings stays, but what brings about others goes before the rest of its kind. */
function rankOf({ first: { kind, rule, severity } }: Group): number {
  return (kind === 'failure' ? 0 : severity === 'warning' ? 2 : 4) + (rule in CAUSES ? 0 : 1)
}

/** `empty-body-refused (20), problem-details (7)`: of the findings that follow from another, the rules. */
export function rulesIn(findings: readonly Finding[]): string {
  const rules = Map.groupBy(findings, ({ rule }) => rule)
  return [...rules].map(([rule, all]) => `${rule} (${all.length})`).join(', ')
}

/** Where to begin: what fails the run, before what does not. */
export function firstToMend(findings: readonly Finding[]): Finding | undefined {
  return groupsOf(findings)[0]?.first
}
