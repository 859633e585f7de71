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
    value: 5_000,
    cause:
      'after gzip, errors take 0.8 kB, the table of operations 0.5 kB, and the texts about a refused field 0.5 kB. Without the table and these texts, 5.5 kB remain. They distinguish a payment that was not made from one that may have been',
  },
  {
    figure: new RegExp(`^${PAGE} by path, minified`),
    value: 7_800,
    cause:
      'openapi-fetch takes 2.8 kB. The engine without `createPayments` takes 6.0 kB, for the reasons above; it also has the short paths, and finds an operation by its path',
  },
  {
    figure: /^POST by path beyond fetch alone/,
    ratio: 0.67,
    cause:
      'of 30 µs, openapi-fetch takes 10 µs and the engine 6 µs. Reading the Request takes 2 µs, the second Response 5 µs, the headers 1 µs; all are needed. A Request that remembers its text saves nothing, since its class costs as much. A connection takes more than 100 µs',
  },
  {
    figure: /^decode a (static|dynamic) code$/,
    ratio: 3,
    cause:
      'of 2.1 µs, regular expressions take 19 %, reading fields 14 %, creating objects 13 %, the checksum 12 %, garbage collection 10 %',
  },
  {
    figure: /^checkKey, beside bare/,
    ratio: 0.5,
    cause:
      'it takes about 180 µs of CPU time with HTTP, and a bare server 16 to 25 µs. By an older profile, Request, Response and their streams take 45 µs, two reads of the store 28 µs, encrypting the initiation id 20 µs, and hashing the token 5 µs; validation, metrics and the record for the page at most 15 µs each',
  },
  {
    figure: /^createWebhook, then deleteWebhook, beside bare/,
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
    value: 7,
    cause: '2,994 requests at 2.3 ms; the checker uses 5.9 s of CPU time',
  },
  {
    figure: /^whole run on the sandbox: memory/,
    value: 200,
    cause:
      'run from source, the modules take 118 MB before the first request: Node itself 43 MB, and the removal of types 17 MB. The package takes 154 to 167 MB',
  },
]
