/** What a figure should reach: a ratio to the best peer, or a value of its own. */
export interface Aim {
  readonly figure: RegExp
  readonly ratio?: number
  readonly value?: number
  /** Why the figure does not reach the aim, from a profile. Printed while it does not. Has no full stop at its end. */
  readonly cause?: string
}

const PAGE = 'page of three operations'

export const AIMS: readonly Aim[] = [
  { figure: /^(verify|sign) 1 kB/, ratio: 1.2 },
  {
    figure: new RegExp(`^${PAGE}, minified`),
    value: 4_000,
    cause:
      'of 15.8 kB before gzip, errors and their messages take 2.3 kB, the table of operations 1.9 kB, the outcome of an attempt 1.6 kB, the transport 1.4 kB, and sending 1.1 kB. They distinguish a payment that was not made from one that may have been. Without these messages and the table, 5.4 kB remain after gzip',
  },
  {
    figure: new RegExp(`^${PAGE} by path, minified`),
    value: 5_500,
    cause: 'nearly the same modules as by name; openapi-fetch takes 0.5 kB before gzip',
  },
  {
    figure: /^decode a (static|dynamic) code$/,
    ratio: 3,
    cause:
      'of 4.7 µs, the checksum takes 19 %, creating objects 13 %, reading fields 10 %, garbage collection 9 %',
  },
  {
    figure: /^checkKey, beside bare/,
    ratio: 0.5,
    cause:
      'of 160 to 190 µs before HTTP, Request, Response and their streams take 45 µs, two reads of the store 28 µs, encrypting the initiation id 20 µs, and hashing the token 5 µs. Validation, metrics and the record for the page take at most 15 µs each. A bare server takes 60 µs with HTTP',
  },
  {
    figure: /^createWebhook, beside bare/,
    ratio: 0.35,
    cause: 'as for checkKey; in addition, a write waits for a commit that the disk confirms',
  },
  { figure: /^payments on PostgreSQL, one instance/, ratio: 0.3 },
  {
    figure: /^payments on PostgreSQL, two instances/,
    ratio: 0.45,
    cause:
      'the load, both instances and PostgreSQL share two cores. A look-up and its payment need seven round trips of 0.4 ms, and the paying account is locked for two of them',
  },
  { figure: /^a full store: /, ratio: 0.5 },
  {
    figure: /^mock: first response/,
    value: 0.3,
    cause:
      "Prism takes 0.5 to 0.7 s to load its 968 modules, 0.3 s to read the contract and the guide, and 0.15 s for the first validators. Prism's own command takes longer",
  },
  {
    figure: /^whole run on the sandbox: time/,
    value: 6,
    cause:
      '10,300 requests at 2.2 ms. The checker uses 13 s of CPU time: 7 s to judge responses (declared invariants 3 s, schemas 2 s, secrets 0.8 s), 2.5 s to send requests, 1.5 s to collect garbage. The sandbox uses 14 s. No function takes more than 4 %',
  },
  { figure: /^whole run on the sandbox: memory/, value: 200 },
]

export function aimOf(figure: string, aims: readonly Aim[] = AIMS): Aim | undefined {
  return aims.find((it) => it.figure.test(figure))
}
