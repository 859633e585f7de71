import { isCnpj, isCpf, keyKind } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import { applicableCause, type Cause, excludedCause, type Requested } from './cause.ts'

/** Why the look-up of a key may be refused: it has no form of a key, or certainly nobody has it. */
export function keyCauses({ exchange: { sent } }: Requested): readonly Cause[] {
  const key = stringAt(sent, '/dict_key') ?? ''
  const kind = keyKind(key)
  if (!kind) return [applicableCause('invalid_key', 'a text that is no key')]

  const causes = [excludedCause('invalid_key', 'a key')]
  const isWrong = (kind === 'CPF' && !isCpf(key)) || (kind === 'CNPJ' && !isCnpj(key))
  if (isWrong) causes.push(applicableCause('not_found', `a ${kind} whose check digits are wrong`))
  else if (isNobodys(key)) causes.push(applicableCause('not_found', 'a key that nobody has'))
  return causes
}

/** Names that RFC 6761 reserves, and telephone numbers of fiction (NANPA 555-0100 to 555-0199). */
function isNobodys(key: string): boolean {
  const isReserved = key.endsWith('@invalid') || key.endsWith('.invalid')
  return isReserved || /^\+1\d{3}55501\d\d$/.test(key)
}
