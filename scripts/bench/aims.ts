/**
 * What a figure should reach: a ratio to the best peer, or a value of its own. Only figures that a
 * user would feel have one; `bench --against FILE` watches the others.
 */
export interface Aim {
  readonly figure: RegExp
  readonly ratio?: number
  readonly value?: number
  /**
   * Why the figure does not reach the aim, from a profile. Printed while it does not. Has no full
   * stop at its end.
   */
  readonly cause?: string
}

export const AIMS: readonly Aim[] = [
  {
    figure: /^look-ups over loopback, 16 in flight/,
    ratio: 0.9,
    cause:
      'by hand with a deadline, no redirects and no cache it is 0.91 to 0.95 of the best peer, and no peer has these three. Of 48,000 look-ups, the functions of the client take 7 % of the CPU time, garbage collection 30 %. Without a signal, which ends a request in time, the client would reach 0.84',
  },
  { figure: /^(verify|sign) 1 kB/, ratio: 1.2 },
  { figure: /^payments on PostgreSQL, one instance/, ratio: 0.3 },
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
    cause: '3,120 requests at 2.4 ms',
  },
  {
    figure: /^whole run on the sandbox: memory/,
    value: 200,
    cause:
      'run from source, the modules take 118 MB before the first request: Node itself 43 MB, and the removal of types 17 MB. The package takes 154 to 167 MB',
  },
]
