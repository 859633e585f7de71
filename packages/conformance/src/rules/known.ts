import type { Exchange } from '../model/exchange.ts'
import type { Unknown } from '../model/unknown.ts'
import type { Rule } from './rule.ts'

/** The needs of rules that compare bodies, whoever sent the request. */
const ALL_BUT_REQUEST_HEADERS: readonly (keyof Unknown)[] = [
  'sent',
  'shown',
  'responseHeaders',
  'target',
  'times',
]

/**
 * The parts of an exchange that a rule needs. A rule that is not listed needs all of them. A listed
 * rule does not read the other parts, or it has no case where they are absent.
 */
const NEEDS: Readonly<Record<string, readonly (keyof Unknown)[]>> = {
  'responses-status': [],
  'responses-media-type': ['responseHeaders'],
  'responses-headers': ['responseHeaders'],
  'responses-shape': ['responseHeaders'],
  'responses-known': ['responseHeaders'],
  'responses-agree': ['shown', 'times'],
  'responses-json': ['responseHeaders'],
  'responses-errors': [],
  'responses-received': [],
  'responses-in-time': ['times'],
  'requests-valid': [],
  'access-credentials': ['requestHeaders'],
  'access-tokens': ['requestHeaders', 'times'],
  'access-records': ['sent', 'target', 'times'],
  'access-lists': [],
  'refusals-invalid': ['target'],
  'refusals-declared': ['shown'],
  'records-shown': ['target'],
  'records-kept': ['target'],
  'records-dated': ALL_BUT_REQUEST_HEADERS,
  'records-named': ALL_BUT_REQUEST_HEADERS,
  'records-gone': ['sent', 'target', 'times'],
  'records-states': ['sent', 'target', 'times'],
  'once-issued': [],
  'once-used': [],
  'once-unique': [],
  'money-accounts': ['shown'],
  'money-keys': ['shown'],
  'lists-ordered': ALL_BUT_REQUEST_HEADERS,
  'codes-images': ALL_BUT_REQUEST_HEADERS,
  'codes-copied': ALL_BUT_REQUEST_HEADERS,
  'keys-repeated': ALL_BUT_REQUEST_HEADERS,
  'users-apart': ALL_BUT_REQUEST_HEADERS,
  'http-head': ['requestHeaders', 'responseHeaders', 'target'],
  'http-methods': [],
  'http-challenge': ['responseHeaders'],
  'http-allow': ['responseHeaders', 'target'],
  'http-request-ids': ['responseHeaders', 'shown'],
  'http-problems': ['responseHeaders', 'shown'],
  'http-empty': ['responseHeaders'],
  'secrets-hidden': [],
  'secrets-no-stack': [],
}

/** The only rule that reads the response of a gateway, which it notes. */
const OF_GATEWAYS = 'http-problems'

/** Whether the service itself responded, and all parts that a rule needs are known. */
export function isKnownTo(
  { id }: Pick<Rule, 'id'>,
  { unknown, origin }: Pick<Exchange, 'unknown' | 'origin'>,
): boolean {
  if (origin === 'gateway') return id === OF_GATEWAYS
  if (origin === 'unknown') return false

  const { sent, shown, ...others } = unknown
  const missing = { ...others, sent: sent.length > 0, shown: shown.length > 0 }
  const needed = NEEDS[id] ?? (Object.keys(missing) as (keyof Unknown)[])
  return needed.every((part) => !missing[part])
}
