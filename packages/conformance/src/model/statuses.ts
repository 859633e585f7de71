interface Declared {
  /** The keys of `responses`. */
  readonly statuses: readonly string[]
}

/**
 * The key of a status in `responses`: the status, its class (2XX) or `default` (OpenAPI 3.1, "Responses Object");
 * undefined if it is not declared.
 */
export function keyOfStatus(statuses: readonly string[], status: number): string | undefined {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, 'default']
  return keys.find((it) => statuses.includes(it))
}

/** The keys of successful responses. `default` counts if there is no other. */
export function successesOf(statuses: readonly string[]): string[] {
  const named = statuses.filter((it) => /^2(\d\d|XX)$/.test(it))
  return named.length > 0 ? named : statuses.filter((it) => it === 'default')
}

export function isDeclaredSuccess({ statuses }: Declared, status: number): boolean {
  return status >= 200 && status < 300 && keyOfStatus(statuses, status) !== undefined
}

/** For messages: `200 or 202`. */
export function successStatuses({ statuses }: Declared): string {
  const words = successesOf(statuses).map((it) => (it === 'default' ? '2XX' : it))
  return words.join(' or ')
}
