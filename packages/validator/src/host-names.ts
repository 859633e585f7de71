import { decoded } from './punycode.ts'

const LDH = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** RFC 1123, section 2.1; a label that starts with `xn--` is one of RFC 5890. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every(isAsciiLabel)
}

/** RFC 5890, section 2.3.2.3. */
export function isInternationalHostName(text: string): boolean {
  // The ASCII form is always longer.
  if (text.length > 253) return false
  const labels = text.split(/[.\u3002\uff0e\uff61]/).map(asciiOf)
  return labels.every((label) => label !== undefined) && labels.join('.').length <= 253
}

function asciiOf(label: string): string | undefined {
  if (LDH.test(label)) return isAsciiLabel(label) ? label : undefined
  return isUnicodeLabel(label) ? encoded(label) : undefined
}

/** Hyphens at the third and fourth position are reserved for Punycode (RFC 5891, section 4.2.3.1). */
function isAsciiLabel(label: string): boolean {
  if (!LDH.test(label) || label.slice(2, 4) !== '--') return LDH.test(label)
  const text = /^xn--/i.test(label) ? decoded(label.slice(4)) : undefined
  return text !== undefined && isUnicodeLabel(text) && encoded(text) === label.toLowerCase()
}

/** RFC 5891, sections 4.2.3 and 5.4. The URL class of the platform checks bidirectional text (RFC 5893). */
function isUnicodeLabel(label: string): boolean {
  const isShaped = !/^-|-$|^..--|^\p{M}/u.test(label) && label === label.normalize('NFC')
  return (
    isShaped &&
    [...label].every(isAllowed) &&
    WRONG.every((wrong) => !wrong.test(label)) &&
    hasOneScript(label)
  )
}

/** A label in Punycode, encoded by the URL class; undefined if it is invalid or too long. */
function encoded(label: string): string | undefined {
  const url = `http://${label}.a/`
  const ascii = URL.canParse(url) ? new URL(url).hostname.slice(0, -2) : ''
  return ascii.startsWith('xn--') && ascii.length <= 63 ? ascii : undefined
}

/** RFC 5892, section 3, and the exceptions of section 2.6. */
function isAllowed(character: string): boolean {
  if (/[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]/.test(character))
    return true
  if (/[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/.test(character))
    return false
  const isStable = character === character.normalize('NFKC').toLowerCase().normalize('NFKC')
  return isStable && /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Nd}\p{Mn}\p{Mc}-]$/u.test(character)
}

/** Characters at invalid positions (RFC 5892, appendix A). The URL class checks joiners. */
const WRONG = [
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
]

function hasOneScript(label: string): boolean {
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)
  const hasBothDigits = /[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label)
  return (isJapanese || !label.includes('\u30fb')) && !hasBothDigits
}
