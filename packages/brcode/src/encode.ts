import { bytesOfCode } from './bytes.ts'
import { checksum } from './crc16.ts'
import { decode, type Profile } from './decode.ts'
import { type Report, refuse } from './error.ts'
import type { BrCodeFields } from './fields.ts'
import { checkAmount, kindOf, STATIC_ONLY } from './kind.ts'
import * as norm from './norm.ts'
import { writer } from './rule.ts'
import { type BrObject, writeObject } from './tlv.ts'

export interface EncodeOptions extends Profile {
  /**
   * Makes merchant name, city and message ASCII (`São João` becomes `Sao Joao`), and cuts name and city to their
   * 25 and 15 characters. Latin letters lose their marks; the others, ordinals, curly quotes, dashes, the ellipsis
   * and the slash of fractions are spelled (`ß` as `ss`, `’` as `'`); spaces become one. Any other character is
   * refused by its name, in both profiles, because leaving it out could change a number: `2½` is not `2`.
   * Default `false`: what does not fit is refused.
   */
  fit?: boolean | undefined
}

/**
 * Writes a Pix BR Code, and refuses what {@link decode} would refuse: `decode(encode(fields))` has these fields.
 *
 * What `decode` returned is written byte for byte as it was, unknown objects and their order included. Such fields
 * carry `objects` and must agree with them: leave `objects` out to change a field.
 *
 * @throws {BrCodeError} when the fields do not make a code that the profile admits.
 * @example
 * encode({ key: 'fulano@example.com', amount: '10.50', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' })
 * @see Manual de Padrões para Iniciação do Pix, 2.6 to 2.8.
 */
export function encode(fields: BrCodeFields, { fit, profile }: EncodeOptions = {}): string {
  if (fields.objects) return rewrite(fields, fields.objects, profile)
  const tolerate: Report = profile === 'lenient' ? () => {} : refuse
  const text = compose(fields, tolerate, fit)
  checkKind(fields, tolerate)
  const bytes = bytesOfCode(text, 512 - 4)
  return text + checksum(bytes, bytes.length)
}

/** The objects in the order of the manual's examples. */
function compose(fields: BrCodeFields, tolerate: Report, fit?: boolean): string {
  const root = writer(tolerate, fit)
  const account = writer(tolerate, fit, { id: '26' })
  const pix = writeObject(0, norm.PIX)
  return (
    '000201' +
    root(norm.POINT, fields.pointOfInitiation) +
    writeObject(
      26,
      pix +
        account(norm.KEY, fields.key) +
        account(norm.MESSAGE, fields.message, Number.POSITIVE_INFINITY) +
        account(norm.FACILITATOR, fields.withdrawalFacilitator) +
        account(norm.LOCATION, fields.location),
    ) +
    root(norm.CATEGORY, fields.merchantCategory) +
    '5303986' +
    root(norm.AMOUNT, fields.amount) +
    '5802BR' +
    root(norm.NAME, fields.merchantName, 25) +
    root(norm.CITY, fields.merchantCity, 15) +
    root(norm.POSTAL_CODE, fields.postalCode) +
    writeObject(62, writer(tolerate, fit, { id: '62' })(norm.TXID, fields.txid)) +
    (fields.recurrence === undefined
      ? ''
      : writeObject(80, pix + writer(tolerate, fit, { id: '80' })(norm.LOCATION, fields.recurrence))) +
    '6304'
  )
}

function checkKind(fields: BrCodeFields, tolerate: Report): void {
  const kind = kindOf(fields, { id: '26' })
  if (fields.kind && fields.kind !== kind) conflict('kind', kind, fields.kind)
  if (kind === 'static') {
    checkAmount(fields, undefined, tolerate)
  } else {
    for (const [field] of STATIC_ONLY)
      if (fields[field]) conflict(field, 'nothing without a key', fields[field])
  }
}

/** Writes what was read, after reading it again: no field may have been changed in vain, least of all an amount. */
function rewrite(fields: BrCodeFields, objects: readonly BrObject[], profile: Profile['profile']): string {
  const code = objects.map(({ id, value }) => writeObject(Number(id), value)).join('')
  const given: Record<string, unknown> = { ...fields }
  for (const [field, written] of Object.entries(decode(code, { profile }))) {
    if (typeof written !== 'object' && given[field] !== written) conflict(field, `${written}`, given[field])
  }
  return code
}

function conflict(path: string, expected: string, found: unknown): never {
  refuse({
    code: 'conflict',
    path,
    offset: undefined,
    expected,
    found: found === undefined ? found : `${found}`,
  })
}
