import { isIP } from 'node:net'
import { isCnpj, isCpf, keyKind } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'

/** A declared reason to refuse a request, and whether the history establishes that it applies. */
export interface Cause {
  /** The code of the refusal. */
  readonly code: string
  /** What is wrong with the request, such as "an amount of zero". */
  readonly says: string
  /** False if the history excludes it. */
  readonly applies: boolean
  /** What it rests on, where that differs from the declared refusal. */
  readonly question?: string | undefined
  readonly fact?: string
  readonly impact?: 'high'
  /** Whether another rule judges a request that is accepted although it applies. */
  readonly isJudgedElsewhere?: true
}

/** A request with what was known before it was sent. */
export interface Requested {
  readonly exchange: Exchange
  readonly model: Model
}

/** A cause that applies. */
export function met(code: string, says: string, more: Partial<Cause> = {}): Cause {
  return { code, says, applies: true, ...more }
}

/** A cause that the history excludes. */
export function excluded(code: string, says: string): Cause {
  return { code, says, applies: false }
}

/** What has a condition that is true, such as causes. */
export function those<T = Cause>(all: readonly (readonly [isThere: boolean, it: T])[]): T[] {
  return all.flatMap(([isThere, it]) => (isThere ? [it] : []))
}

/** Milliseconds by which clocks may differ: fewer if the service has shown its clock. */
export function marginOf({ serviceTimes }: Model): number {
  return serviceTimes.isShown ? 1_500 : 5_000
}

/** The times of the service between which a request is judged. */
export function spanOf({ exchange, model }: Requested): { readonly from: number; readonly to: number } {
  const to = exchange.trace.time
  const margin = marginOf(model)
  return { from: to - (exchange.completeAt - exchange.sentAt) - margin, to: to + margin }
}

/** Why the look-up of a key may be refused: it has no form of a key, or certainly nobody has it. */
export function keyCauses({ exchange: { sent } }: Requested): Cause[] {
  const key = stringAt(sent, '/dict_key') ?? ''
  const kind = keyKind(key)
  if (!kind) return [met('invalid_key', 'a text that is no key')]
  const isWrong = (kind === 'CPF' && !isCpf(key)) || (kind === 'CNPJ' && !isCnpj(key))
  return those([
    [true, excluded('invalid_key', 'a key')],
    [isWrong, met('not_found', `a ${kind} whose check digits are wrong`)],
    [!isWrong && NOBODYS.test(key), met('not_found', 'a key that nobody has')],
  ])
}

/** Names that RFC 6761 reserves, and telephone numbers of fiction (NANPA 555-0100 to 555-0199). */
const NOBODYS = /[@.]invalid$|^\+1\d{3}55501\d\d$/

/** Why the URL of a webhook may be refused. */
export function urlCauses({ exchange: { sent } }: Requested): Cause[] {
  const text = stringAt(sent, '/url') ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || isLoopback(url.hostname)) return []
  if (url.protocol === 'http:') return [met('url_not_allowed', 'a URL without https', { impact: 'high' })]
  return those([[isPrivate(url.hostname), met('url_not_allowed', 'a URL in a private network')]])
}

/** A sandbox may deliver to the machine that it runs on. */
function isLoopback(host: string): boolean {
  return /^127\.|^localhost$|^\[::1\]$|^\[::ffff:7f/.test(host)
}

/** RFC 1918, RFC 3927, RFC 4193, and the name that ICANN keeps for private networks. */
function isPrivate(host: string): boolean {
  if (host.startsWith('[')) return /^\[(f[cd]|fe[89ab])/.test(host)
  if (isIP(host) === 4) return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)
  return /\.internal$/.test(host)
}
