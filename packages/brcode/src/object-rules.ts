import { keyKind } from './keys.ts'

/** The rule of the standard for one object, used by decode and encode. */
export interface Rule {
  readonly id: number
  /** Describes the expected value in errors. */
  readonly expected: string
  readonly strict: { test(value: string): unknown }
  /** Additional values that the lenient profile accepts. */
  readonly lenient: RegExp | undefined
  /** The value that represents an absent field. */
  readonly blank: string | undefined
  /** Whether the object is mandatory; always true with a blank. */
  readonly mandatory: boolean
}

const ANYTHING = /./s

/** The identifier of Pix in its templates: a reversed host name, so case-insensitive. */
export const PIX = 'br.gov.bcb.pix'

// The first level (EMVCo MPM, section 4; Manual do BR Code).
export const FORMAT = constant(0, '01')
export const POINT = rule(1, '"11" or "12"', /^1[12]$/)
export const CATEGORY = rule(52, 'four digits', /^\d{4}$/, undefined, '0000')
export const CURRENCY = constant(53, '986')
export const AMOUNT = rule(
  54,
  'an amount like "10.50", at most 13 characters',
  /^(?!.{14})\d+(\.\d{0,2})?$/,
)
/**
 * The amount of a code with a charge, which determines the amount (Manual de Padrões para Iniciação
 * do Pix, 2.7).
 */
export const AMOUNT_IGNORED: Rule = { ...AMOUNT, lenient: ANYTHING }
export const COUNTRY = constant(58, 'BR')
export const NAME = rule(
  59,
  'a name of 1 to 25 ASCII characters',
  /^[ -~]{1,25}$/,
  ANYTHING,
  undefined,
  true,
)
export const CITY = rule(
  60,
  'a city of 1 to 15 ASCII characters',
  /^[ -~]{1,15}$/,
  ANYTHING,
  undefined,
  true,
)
export const POSTAL_CODE = rule(61, '1 to 10 ASCII characters', /^[ -~]{1,10}$/)

// Inside the template of Pix in 26 to 51 (Manual de Padrões para Iniciação do Pix, 2.6 and 2.7).
export const KEY = rule(
  1,
  'a CPF, a CNPJ, a phone with +, an e-mail or a random key',
  { test: keyKind },
  ANYTHING,
)
export const MESSAGE = rule(2, 'a message in ASCII', /^[ -~]+$/, ANYTHING)
export const FACILITATOR = rule(3, 'an ISPB of eight digits or letters', /^[\dA-Z]{8}$/)

// Inside that template, and inside the one of a recurrence in 80 to 99 (2.8). The path ends in a
// token and excludes everything after a ? or #. A lenient location may lack the token, be a bare
// host or have a port, as in test systems; never a scheme, user information or a space.
export const LOCATION = rule(
  25,
  'a host with a dot and a path that ends in a token, no scheme',
  /^[\w-]+(\.[\w-]+)+\/(?=[!-~]+$)[^?#]*[^/?#]([?#]|$)/,
  /^[\w.-]+(:\d+)?(\/[!-~]*)?$/,
)

/**
 * The location of a recurrence. Test codes of some providers use /subs/, which the lenient profile
 * treats as /rec/.
 */
export const RECURRENCE: Rule = {
  ...LOCATION,
  expected: 'a host with a dot and a path that ends in /rec/ and a token, no scheme',
  strict: { test: (value) => LOCATION.strict.test(value) && segmentOf(value) !== 'subs' },
}

/** A location is host/endpoint/cob|cobv|rec/token; the endpoint and `cob` are optional (2.5.2). */
export function segmentOf(location: string): string | undefined {
  return /^[^?#]*\/(cobv|rec|subs)\/[^/?#]*([?#]|$)/.exec(location)?.[1]
}

// Inside 62.
export const TXID = rule(
  5,
  '"***" or 1 to 25 letters and digits',
  /^[\da-z]{1,25}$/i,
  ANYTHING,
  '***',
)

function rule(
  id: number,
  expected: string,
  strict: Rule['strict'],
  lenient?: RegExp,
  blank?: string,
  mandatory = blank !== undefined,
): Rule {
  return { id, expected, strict, lenient, blank, mandatory }
}

function constant(id: number, value: string): Rule {
  return rule(id, `"${value}"`, /$^/, undefined, value)
}
