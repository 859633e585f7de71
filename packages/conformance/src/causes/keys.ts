import { isCnpj, isCpf, keyKind } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  type RequestContext,
} from './cause.ts'

/**
 * Lists the reasons to refuse the look-up of a Pix key: `invalid_key` applies to a text such as `hello`, which is
 * no e-mail, telephone number, tax ID or random key. Otherwise, it is excluded, and `not_found` applies if
 * certainly nobody has the key.
 */
export function listKeyCauses({ exchange }: RequestContext): readonly Cause[] {
  const key = stringAt(exchange.requestBody, '/dict_key') ?? ''
  const kind = keyKind(key)
  if (kind === undefined) return [buildApplicableCause('invalid_key', NO_KEY)]

  const causes = [buildExcludedCause('invalid_key', 'a key', { shows: kind })]
  const fault = describeKeyFault(key)
  if (fault !== undefined) causes.push(buildApplicableCause('not_found', fault))
  return causes
}

const NO_KEY = 'a text that is no key'

/**
 * Says why the directory certainly has no entry for a key, such as `a CPF whose check digits are wrong`; undefined
 * if it may have one. CPF and CNPJ are the tax IDs of people and companies.
 */
export function describeKeyFault(key: string): string | undefined {
  const kind = keyKind(key)
  if (!kind) return NO_KEY

  const hasWrongDigits = (kind === 'CPF' && !isCpf(key)) || (kind === 'CNPJ' && !isCnpj(key))
  if (hasWrongDigits) return `a ${kind} whose check digits are wrong`
  return isNobodys(key) ? 'a key that nobody has' : undefined
}

/**
 * Whether certainly nobody has a key: it is of a name that RFC 6761 reserves, such as `a@b.invalid`, or a
 * telephone number of fiction (NANPA 555-0100 to 555-0199), such as `+12025550123`.
 */
function isNobodys(key: string): boolean {
  const isReserved = key.endsWith('@invalid') || key.endsWith('.invalid')
  return isReserved || /^\+1\d{3}55501\d\d$/.test(key)
}

/** Whether two texts are one key, in whatever spelling; false if one of both is empty. */
export function isSameKey(one = '', other = ''): boolean {
  const key = normalizeKey(one)
  return key !== '' && key === normalizeKey(other)
}

/**
 * Writes a key in one spelling: `11.222.333/0001-81` is `11222333000181`. In an e-mail address, each
 * character counts: ana.b@example.com and anab@example.com are two people.
 */
function normalizeKey(key: string): string {
  const text = key.trim().toLowerCase()
  return text.includes('@') ? text : text.replaceAll(/[^a-z0-9]/g, '')
}
