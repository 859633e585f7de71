interface Found {
  readonly kind: string
  readonly rule: string
  readonly operation: string | undefined
}

/** Findings as `<kind> <rule>@<operation>`, sorted, each once. The operation is `all` if there is none. */
export function namedBy(findings: readonly Found[]): string[] {
  const named = findings.map(({ kind, rule, operation = 'all' }) => `${kind} ${rule}@${operation}`)
  return [...new Set(named)].sort()
}

/** The parts of a line of {@link namedBy}. */
export function partsOf(line: string): { kind: string; rule: string; operation: string } {
  const [, kind = '', rule = '', operation = ''] = /^(\S+) (\S+)@(\S+)$/.exec(line) ?? []
  return { kind, rule, operation }
}
