import { isCnpj, isCpf, keyKind } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import { type Cause, excluded, met, type Requested, those } from './cause.ts'

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
