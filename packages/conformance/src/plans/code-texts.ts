import { type BrCode, type BrCodeFields, crc16, encode, tryDecode } from '@partner-payments/brcode'

/** Edits of payment codes as texts. */

/**
 * Copies of a payment code with a fault each, so that no service can read them. A code is a row of objects, each with
 * an id, a length and a value: `5802BR` is the country (58) with two characters, and `63041D3D` the checksum at the end.
 */
export function invalidCodes(code: string): string[] {
  const withoutChecksum = removeChecksum(code)
  return [
    // A wrong checksum.
    withoutChecksum + (code.endsWith('0000') ? '0001' : '0000'),
    // Another country, with the checksum of the code before the change.
    code.replace('5802BR', '5802US'),
    // No checksum: without its object, 6304 and four digits.
    code.slice(0, -8),
    // Cut off.
    code.slice(0, 30),
    // The length of the country is 3, and not 2.
    withChecksum(withoutChecksum.replace('5802BR', '5803BR')),
    // The country twice.
    withChecksum(`${code.slice(0, -8)}5802BR6304`),
    'not a payment code',
  ]
}

/** Other ways to write a static code (Manual de Padrões para Iniciação do Pix, section 2). */
export function sameCodes(code: string): string[] {
  const withoutChecksum = removeChecksum(code)
  const codes = [
    // The identifier of Pix in capital letters.
    withChecksum(withoutChecksum.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
    // The account information in the object 27, not 26: `00020127…`, or `00020101021127…` with a second object before it.
    withChecksum(withoutChecksum.replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
    // The objects after the first, `000201`, may come in any order: here, the country is the second one.
    withChecksum(withoutChecksum.replace(/^(000201)(.*)(5802BR)/, '$1$3$2')),
  ]
  const accented = withAccents(code)
  return accented === undefined ? codes : [...codes, accented]
}

/**
 * A static code with accents in the name and the city of the receiver. They change no length in the code,
 * since lengths count characters. Undefined if the code is not a static one.
 */
function withAccents(code: string): string | undefined {
  const names = { merchantName: 'Sao Joao', merchantCity: 'BRASILIA' }
  const plain = editStaticCode(code, (fields) => ({ ...fields, ...names }))
  if (plain === undefined) return undefined

  const accented = plain.replace('Sao Joao', 'São João').replace('BRASILIA', 'BRASÍLIA')
  return withChecksum(removeChecksum(accented))
}

/** Removes the four digits of the checksum at the end of a code. */
function removeChecksum(code: string): string {
  return code.slice(0, -4)
}

/** A static code that leaves the amount to the payer. Undefined if the code is not a static one. */
export function withoutAmount(code: string): string | undefined {
  return editStaticCode(code, ({ amount: _, ...rest }) => rest)
}

/** A static code with another text in place of its key. Undefined if the code is not a static one. */
export function withKey(code: string, key: string): string | undefined {
  return editStaticCode(code, (fields) => ({ ...fields, key }), 'lenient')
}

/** The decoded fields of a static code. */
type StaticCode = Omit<Extract<BrCode, { kind: 'static' }>, 'objects'>

/**
 * Decodes a static code, lets `edit` change its fields, such as `{ key, amount, merchantName }`, and encodes it again.
 * Undefined if the code is not a static one.
 *
 * @param profile `lenient` also encodes what a code should not have, such as a key in no form of a key.
 */
function editStaticCode(
  code: string,
  edit: (fields: StaticCode) => BrCodeFields,
  profile: 'strict' | 'lenient' = 'strict',
): string | undefined {
  const decoded = tryDecode(code)
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return encode(edit(fields), { profile })
}

/** Appends the checksum to a code without one. */
function withChecksum(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}
