/** What a figure should reach: a ratio to the best peer, or a value of its own. */
export interface Aim {
  readonly figure: RegExp
  readonly ratio?: number
  readonly value?: number
  /** What a profile says about the rest, while the figure does not reach it. Ends without a full stop. */
  readonly cause?: string
}

const PAGE = 'page of three operations'

export const AIMS: readonly Aim[] = [
  { figure: /^(verify|sign) 1 kB/, ratio: 1.2 },
  {
    figure: new RegExp(`^${PAGE}, minified`),
    value: 4_000,
    cause:
      'of 15.8 kB before gzip, 2.3 are the texts of errors, 1.9 the table of operations, 1.6 the outcome of an attempt, 1.4 the transport, 1.1 sending: what tells a payment that was not made from one that may have been. Without the texts and the table, 5.4 kB remain',
  },
  {
    figure: new RegExp(`^${PAGE} by path, minified`),
    value: 5_500,
    cause: 'the same modules as by name; the runtime of openapi-fetch is not in it',
  },
  {
    figure: /^decode a (static|dynamic) code$/,
    ratio: 3,
    cause: 'of 4.7 µs, the checksum takes 19 %, the objects 13 %, reading fields 10 %, garbage 9 %',
  },
  {
    figure: /^checkKey, beside bare/,
    ratio: 0.5,
    cause:
      'a request takes 160 to 190 µs before HTTP, and a bare server 60 with it: Request, Response and their streams 45, two reads of the store 28, encrypting the initiation id 20, hashing the token 5, validation, metrics and the record for the page the rest, none of them above 15',
  },
  {
    figure: /^createWebhook, beside bare/,
    ratio: 0.35,
    cause: 'as checkKey; in addition, a write waits for a commit that the disk confirms',
  },
  { figure: /^payments on PostgreSQL, one instance/, ratio: 0.3 },
  {
    figure: /^payments on PostgreSQL, two instances/,
    ratio: 0.45,
    cause:
      'on two cores, the load, two instances and the server share what one instance has alone; a payment needs seven round trips of 0.4 ms, and the paying account is locked for two of them',
  },
  { figure: /^a full store: /, ratio: 0.5 },
  {
    figure: /^mock: first response/,
    value: 0.3,
    cause:
      "Prism: 0.5 to 0.7 s for its 968 modules, 0.3 for its reading of the contract and the guide, 0.15 for the first validators. Prism's own command takes longer",
  },
  {
    figure: /^whole run on the sandbox: time/,
    value: 6,
    cause:
      '10,300 requests at 2.2 ms. The checker computes for 13 s: 7 judge responses (declared invariants 3, schemas 2, secrets 0.8), 2.5 send, 1.5 are garbage. The sandbox computes for 14 s. No function takes more than 4 %',
  },
  { figure: /^whole run on the sandbox: memory/, value: 200 },
  { figure: /^a document with 400 parameters: memory/, value: 300 },
  { figure: /^a document with 1,000 operations: memory/, value: 1_000 },
]

export function aimOf(figure: string, aims: readonly Aim[] = AIMS): Aim | undefined {
  return aims.find((it) => it.figure.test(figure))
}
