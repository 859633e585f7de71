import { type Finding, SEVERITIES } from '../engine/result.ts'

/** Findings of one rule with the same message, for several operations. */
export interface Group {
  /** Represents the group. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds without duplicates. */
  readonly operations: readonly string[]
  /** Findings of other rules with the same cause: the same operation failed with the same response. */
  readonly effects: readonly Finding[]
}

/** Rules whose findings cause others, with the statuses concerned. */
const CAUSES: Readonly<Record<string, (status: number | undefined) => boolean>> = {
  'response-received': (status) => status === undefined,
  'no-server-error': (status) => status !== undefined && status >= 500,
}
/** Groups by rule and message, the most severe first. Effects are listed with their cause. */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const causes = Map.groupBy(
    findings.filter(({ rule }) => rule in CAUSES),
    placeOf,
  )
  const causeOf = (it: Finding) =>
    it.rule in CAUSES
      ? undefined
      : causes.get(placeOf(it))?.find(({ rule }) => CAUSES[rule]?.(it.evidence.status))
  const effects = Map.groupBy(findings, causeOf)
  const groups = [...Map.groupBy(effects.get(undefined) ?? [], keyOf).values()].map((all) =>
    groupOf(
      all,
      all.flatMap((it) => effects.get(it) ?? []),
    ),
  )
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Selects by severity, and within a severity one group of each rule before more of the same rule. */
export function mostSevere(groups: readonly Group[], limit: number): Group[] {
  const turns = new Map<string, number>()
  const ranked = groups.map((group) => {
    const key = `${group.first.severity} ${group.first.rule}`
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return { group, severity: SEVERITIES.indexOf(group.first.severity), turn }
  })
  return ranked
    .toSorted((a, b) => a.severity - b.severity || a.turn - b.turn)
    .slice(0, limit)
    .map(({ group }) => group)
}

/** `body-format (20), problem-details (7)` */
export function rulesIn(findings: readonly Finding[]): string {
  const rules = Map.groupBy(findings, ({ rule }) => rule)
  return [...rules].map(([rule, all]) => `${rule} (${all.length})`).join(', ')
}

function placeOf({ operation, evidence }: Finding): string {
  return `${operation} ${evidence.status}`
}

function keyOf({ rule, kind, severity, question, message }: Finding): string {
  return JSON.stringify([rule, kind, severity, question, message])
}

function groupOf(findings: readonly Finding[], effects: readonly Finding[]): Group {
  const operations = new Set(findings.map(({ operation }) => operation).filter((it) => it !== undefined))
  return { first: findings[0] as Finding, findings, operations: [...operations], effects }
}

function rankOf({ first: { severity, rule } }: Group): number {
  return 2 * SEVERITIES.indexOf(severity) + (rule in CAUSES ? 0 : 1)
}
