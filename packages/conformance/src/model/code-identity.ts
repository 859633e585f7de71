import { tryDecode } from '@partner-payments/brcode'
import { Bounded } from './bounded.ts'

/**
 * Identifies what a payment code pays: a charge by its location, so that the code is the same in every
 * spelling, such as with a checksum in lower case. A code without a location is its own text.
 */
export function identifyCode(emv: string): string {
  return findLocation(emv) ?? emv
}

/** Lists show the same codes again and again. So many are remembered, of at most so many characters each. */
const MAX_CODES = 2_000
const MAX_CODE_LENGTH = 1_000
const locationByText = new Bounded<string, string | undefined>(MAX_CODES)

/** The object with which every payment code begins: the format of the payload. */
const FIRST_OBJECT = '0002'

/**
 * Finds the location of the charge that a payment code has in it: `pix.example.com/qr/v2/9d36…`, where banks read
 * the charge. Undefined of a static code, which has none, and of a text that is no code.
 */
export function findLocation(emv: string): string | undefined {
  const text = emv.trim()
  // No code. To try to decode it would take as long as all else that is done with its exchange.
  if (!text.startsWith(FIRST_OBJECT)) return undefined
  if (locationByText.has(text)) return locationByText.get(text)

  const location = decodeLocation(text)
  if (text.length <= MAX_CODE_LENGTH) locationByText.set(text, location)
  return location
}

function decodeLocation(text: string): string | undefined {
  const decoded = tryDecode(text, { profile: 'lenient' })
  if (!decoded.ok) return undefined
  return 'location' in decoded.code ? decoded.code.location : undefined
}

/** Decodes a static code, which has its key and maybe its amount in its text; undefined of any other text. */
export function decodeStaticCode(emv: string) {
  const decoded = tryDecode(emv, { profile: 'lenient' })
  return decoded.ok && decoded.code.kind === 'static' ? decoded.code : undefined
}
