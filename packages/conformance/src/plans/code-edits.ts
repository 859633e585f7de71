import { type BrCode, type BrCodeFields, crc16, encode, tryDecode } from '@partner-payments/brcode'

/** Edits of a payment code after which it cannot be decoded. */
export function invalidCodes(code: string): string[] {
  const open = code.slice(0, -4)
  return [
    // A wrong checksum, that of another code, and none.
    open + (code.endsWith('0000') ? '0001' : '0000'),
    code.replace('5802BR', '5802US'),
    code.slice(0, -8),
    // Cut off, with a wrong length, and with an object twice.
    code.slice(0, 30),
    summed(open.replace('5802BR', '5803BR')),
    summed(`${code.slice(0, -8)}5802BR6304`),
    'not a payment code',
  ]
}

/** Other ways to write a static code (Manual de Padrões para Iniciação do Pix, section 2). */
export function sameCodes(code: string): string[] {
  const open = code.slice(0, -4)
  const plain = withStatic(code, (it) => ({ ...it, merchantName: 'Sao Joao', merchantCity: 'BRASILIA' }))
  // Lengths count characters, so that accents change none.
  const accents = plain?.slice(0, -4).replace('Sao Joao', 'São João').replace('BRASILIA', 'BRASÍLIA')
  return [
    summed(open.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
    summed(open.replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
    ...(accents === undefined ? [] : [summed(accents)]),
  ]
}

/** A static code that leaves the amount to the payer. */
export function withoutAmount(code: string): string | undefined {
  return withStatic(code, ({ amount: _, ...rest }) => rest)
}

type StaticCode = Omit<Extract<BrCode, { kind: 'static' }>, 'objects'>

function withStatic(code: string, edit: (fields: StaticCode) => BrCodeFields): string | undefined {
  const decoded = tryDecode(code)
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return encode(edit(fields))
}

/** Appends the checksum. */
function summed(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}
