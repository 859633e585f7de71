/** What a figure should reach: a ratio to the best peer, or a value of its own. */
export interface Aim {
  readonly figure: RegExp
  readonly ratio?: number
  readonly value?: number
}

const PAGE = 'page of three operations'

export const AIMS: readonly Aim[] = [
  { figure: /^(verify|sign) 1 kB/, ratio: 1.2 },
  { figure: new RegExp(`^${PAGE}, minified`), value: 4_000 },
  { figure: new RegExp(`^${PAGE} by path, minified`), value: 5_500 },
  { figure: /^decode a (static|dynamic) code$/, ratio: 3 },
  { figure: /^checkKey, beside bare/, ratio: 0.5 },
  { figure: /^createWebhook, beside bare/, ratio: 0.35 },
  { figure: /^payments on PostgreSQL, one instance/, ratio: 0.3 },
  { figure: /^payments on PostgreSQL, two instances/, ratio: 0.45 },
  { figure: /^a full store: /, ratio: 0.5 },
  { figure: /^mock: first response/, value: 0.3 },
  { figure: /^whole run on the sandbox: time/, value: 6 },
  { figure: /^whole run on the sandbox: memory/, value: 200 },
  { figure: /^a document with 400 parameters: memory/, value: 300 },
  { figure: /^a document with 1,000 operations: memory/, value: 1_000 },
]

export function aimOf(figure: string, aims: readonly Aim[] = AIMS): Aim | undefined {
  return aims.find((it) => it.figure.test(figure))
}
