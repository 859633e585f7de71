import { type BrCode, type BrCodeFields, crc16, encode, tryDecode } from '@partner-payments/brcode'

/** Another way to write a payment code; undefined where the code is not one that the edit is for. */
type CodeEdit = (code: string) => string | undefined

/** Edits after which a payment code cannot be decoded. */
export const INVALID_CODES: Readonly<Record<string, CodeEdit>> = {
  'wrong-checksum': (code) => code.slice(0, -4) + (code.endsWith('0000') ? '0001' : '0000'),
  'stale-checksum': (code) => code.replace('5802BR', '5802US'),
  'no-checksum': (code) => code.slice(0, -8),
  truncated: (code) => code.slice(0, 30),
  'wrong-length': (code) => summed(code.slice(0, -4).replace('5802BR', '5803BR')),
  'repeated-object': (code) => summed(`${code.slice(0, -8)}5802BR6304`),
  'no-structure': () => 'not a payment code',
}

/** Other ways to write the same code (Manual de Padrões para Iniciação do Pix, section 2). */
export const SAME_CODES: Readonly<Record<string, CodeEdit>> = {
  'upper-case-gui': (code) => summed(code.slice(0, -4).replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
  'other-template': (code) => summed(code.slice(0, -4).replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
  accents: (code) => {
    const plain = withStatic(code, (it) => ({ ...it, merchantName: 'Sao Joao', merchantCity: 'BRASILIA' }))
    // Lengths count characters, so that accents change none.
    return plain && summed(plain.slice(0, -4).replace('Sao Joao', 'São João').replace('BRASILIA', 'BRASÍLIA'))
  },
}

/** A static code that leaves the amount to the payer. */
export function withoutAmount(code: string): string | undefined {
  return withStatic(code, ({ amount: _, ...rest }) => rest)
}

type StaticCode = Extract<BrCode, { kind: 'static' }>

function withStatic(
  code: string,
  edit: (fields: Omit<StaticCode, 'objects'>) => BrCodeFields,
): string | undefined {
  const decoded = tryDecode(code)
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return encode(edit(fields))
}

/** Appends the checksum. */
function summed(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}
