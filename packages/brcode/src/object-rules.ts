import { keyKind } from './keys.ts'

/** The rule of the standard for one object, used by decode and encode. */
export interface Rule {
  readonly id: number
  /** Describes the expected value in errors. */
  readonly expected: string
  /** Accepts the values of the standard. They are no issue, in either profile. */
  readonly strict: { test(value: string): unknown }
  /**
   * Is asked after `strict` has refused a value. One that it accepts is an issue: the strict profile refuses it, and
   * the lenient one goes on. Undefined if both profiles accept the same values.
   */
  readonly lenient: RegExp | undefined
  /**
   * The value that says that there is none, such as the txid `***`, which neither `strict` nor `lenient` is asked about.
   * The reader returns undefined for it, and the writer writes it if it gets no value.
   */
  readonly absentValue: string | undefined
  /** Whether the object must be there. The lenient profile accepts a code without its txid all the same. */
  readonly mandatory: boolean
}

const ANYTHING = /./s

/** The identifier of Pix in its templates: a reversed host name, so case-insensitive. */
export const PIX = 'br.gov.bcb.pix'

/** The ids of the templates of accounts, of Pix and of others (EMVCo MPM, section 4). */
export const ACCOUNT_IDS = { first: 26, last: 51 }

/** The ids among which is the template of a recurrence (2.8). */
export const RECURRENCE_IDS = { first: 80, last: 99 }

// The first level (EMVCo MPM, section 4; Manual do BR Code).
export const FORMAT = createConstantRule(0, '01')

export const POINT = createRule({
  id: 1,
  expected: '"11" or "12"',
  strict: { test: (value) => value === '11' || value === '12' },
})

export const CATEGORY = createRule({
  id: 52,
  expected: 'four digits',
  strict: /^\d{4}$/,
  absentValue: '0000',
  mandatory: true,
})

export const CURRENCY = createConstantRule(53, '986')

export const AMOUNT = createRule({
  id: 54,
  expected: 'an amount like "10.50", at most 13 characters',
  strict: { test: isAmount },
})

/** Whether a value is reais with at most two decimals; a dot may come last. */
export function isAmount(value: string): boolean {
  return value.length <= 13 && /^\d+(\.\d{0,2})?$/.test(value)
}

/**
 * The one spelling of an amount that every bank reads: exactly two decimals, and no needless zero
 * before them. Others are refused, or read as another amount: `198` was settled as 1.98.
 */
export function toTwoDecimals(amount: string): string {
  const [reais = '', decimals = ''] = amount.split('.')
  // A number of reais has no zeros before it.
  return `${BigInt(reais)}.${decimals.padEnd(2, '0')}`
}

/**
 * The amount of a code with a charge, which determines the amount (Manual de Padrões para Iniciação
 * do Pix, 2.7).
 */
export const AMOUNT_IGNORED: Rule = { ...AMOUNT, lenient: ANYTHING }

export const COUNTRY = createConstantRule(58, 'BR')

export const NAME = createRule({
  id: 59,
  expected: 'a name of 1 to 25 ASCII characters',
  strict: /^[ -~]{1,25}$/,
  lenient: ANYTHING,
  mandatory: true,
})

export const CITY = createRule({
  id: 60,
  expected: 'a city of 1 to 15 ASCII characters',
  strict: /^[ -~]{1,15}$/,
  lenient: ANYTHING,
  mandatory: true,
})

export const POSTAL_CODE = createRule({
  id: 61,
  expected: '1 to 10 ASCII characters',
  strict: /^[ -~]{1,10}$/,
})

// Inside the template of Pix in 26 to 51 (Manual de Padrões para Iniciação do Pix, 2.6 and 2.7).
export const KEY = createRule({
  id: 1,
  expected: 'a CPF, a CNPJ, a phone with +, an e-mail or a random key',
  strict: { test: keyKind },
  lenient: ANYTHING,
})

export const MESSAGE = createRule({
  id: 2,
  expected: 'a message in ASCII',
  strict: /^[ -~]+$/,
  lenient: ANYTHING,
})

export const FACILITATOR = createRule({
  id: 3,
  expected: 'an ISPB of eight digits or letters',
  strict: /^[\dA-Z]{8}$/,
})

// Inside that template, and inside the one of a recurrence in 80 to 99 (2.8). The path ends in a
// token and excludes everything after a ? or #. A lenient location may lack the token, be a bare
// host or have a port, as in test systems; never a scheme, user information or a space.
export const LOCATION = createRule({
  id: 25,
  expected: 'a host with a dot and a path that ends in a token, no scheme',
  strict: /^[\w-]+(\.[\w-]+)+\/(?=[!-~]+$)[^?#]*[^/?#]([?#]|$)/,
  lenient: /^[\w.-]+(:\d+)?(\/[!-~]*)?$/,
})

/**
 * The location of a recurrence. Test codes of some providers use /subs/, which the lenient profile
 * treats as /rec/.
 */
export const RECURRENCE: Rule = {
  ...LOCATION,
  expected: 'a host with a dot and a path that ends in /rec/ and a token, no scheme',
  strict: { test: (value) => LOCATION.strict.test(value) && readSegment(value) !== 'subs' },
}

/**
 * The segment of the path before its token. A location is host/endpoint/cob|cobv|rec/token; the
 * endpoint and `cob` are optional (2.5.2).
 */
export function readSegment(location: string): string | undefined {
  const [hostAndPath = ''] = location.split(/[?#]/, 1)
  const [, ...segments] = hostAndPath.split('/')
  return segments.at(-2)
}

// Inside 62.
export const TXID = createRule({
  id: 5,
  expected: '"***" or 1 to 25 letters and digits',
  strict: /^[\da-z]{1,25}$/i,
  lenient: ANYTHING,
  absentValue: '***',
  mandatory: true,
})

/** What differs from the rule of an optional object. */
type RuleOptions = Pick<Rule, 'id' | 'expected' | 'strict'> & Partial<Rule>

/** Creates the rule of an object: which values it may have. It is optional by default. */
function createRule({ lenient, absentValue, mandatory = false, ...rule }: RuleOptions): Rule {
  return { ...rule, lenient, absentValue, mandatory }
}

/**
 * The rule of an object that always has the same value, such as the currency 986. It is checked, and
 * then read as no value: it becomes no field of the decoded code.
 */
function createConstantRule(id: number, value: string): Rule {
  return createRule({
    id,
    expected: `"${value}"`,
    strict: { test: (text) => text === value },
    absentValue: value,
    mandatory: true,
  })
}
