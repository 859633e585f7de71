import type { Issue } from './error.ts'
import type { BrObject } from './tlv.ts'

/**
 * The kind of a code, determined by the code alone: a Pix to a key, a charge due now, a charge with
 * a due date, or consent to a recurrence (Manual de Padrões para Iniciação do Pix, 2.5.2 and 2.8).
 *
 * @example
 * const charges: readonly BrCodeKind[] = ['immediate', 'due-date']
 */
export type BrCodeKind = 'static' | 'immediate' | 'due-date' | 'recurrence'

/** The fields of every code (Manual de Padrões para Iniciação do Pix, 2.6 and 2.7). */
interface CommonFields {
  /**
   * The id of the template that belongs to Pix: `"26"` to `"51"`. Default: `26`, or the id in
   * `objects`.
   */
  account?: string | undefined
  /**
   * Object 59, 1 to 25 printable ASCII characters. The payer is shown the name registered in the
   * DICT instead.
   */
  merchantName: string
  /** Object 60, 1 to 15 printable ASCII characters. */
  merchantCity: string
  /** Object 52, the merchant category code (ISO 18245): four digits. Default: `0000`. */
  merchantCategory?: string | undefined
  /** Object 61, up to 10 printable ASCII characters. */
  postalCode?: string | undefined
  /**
   * Object 01: `"11"` reusable, `"12"` for one use. Advisory: it does not distinguish static from
   * dynamic codes.
   */
  pointOfInitiation?: '11' | '12' | undefined
  /**
   * Object 80-25 (any of 80 to 99): where the recurrence is fetched, without `https://`, up to 77
   * characters. Makes the code a composite (2.8).
   */
  recurrence?: string | undefined
}

/**
 * A code with a key (Manual de Padrões para Iniciação do Pix, 2.6).
 *
 * @example
 * const fields: StaticFields = { key: '+5561912345678', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }
 */
export interface StaticFields extends CommonFields {
  /** Determined by the fields. `encode` does not need it, and refuses a contradicting one. */
  kind?: 'static' | undefined
  /** Object 26-01: a Pix key in a DICT format, up to 77 characters. */
  key: string
  /**
   * Object 54: reais, as a decimal string with a dot and at most two decimals, up to 13 characters,
   * zero only for a withdrawal. Absent if the payer enters it. `decode` returns the spelling of the
   * code; `encode` writes exactly two decimals.
   */
  amount?: string | undefined
  /** Object 62-05: 1 to 25 letters and digits. Default: `***`. */
  txid?: string | undefined
  /**
   * Object 26-02: printable ASCII; shares the 99 characters of its template with the key, so at
   * most 72.
   */
  message?: string | undefined
  /**
   * Object 26-03: ISPB of the institution that hands out the cash, eight digits or upper-case
   * letters. Its presence makes the payment a withdrawal (Pix Saque).
   */
  withdrawalFacilitator?: string | undefined
  /** Always absent: a code has a key or a location. */
  location?: undefined
}

/**
 * A code with the location of a charge at the receiver's institution (Manual de Padrões para
 * Iniciação do Pix, 2.7). It has no amount and no txid: they are in the charge.
 *
 * @example
 * const fields: DynamicFields = {
 *   location: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441',
 *   merchantName: 'Fulano de Tal',
 *   merchantCity: 'BRASILIA',
 * }
 */
export interface DynamicFields extends CommonFields {
  /** Determined by the location. `encode` does not need it, and refuses a contradicting one. */
  kind?: 'immediate' | 'due-date' | undefined
  /**
   * Object 26-25: where the charge is fetched, without `https://`, up to 77 characters. Due-date
   * when the segment of its path before the last is `cobv` (2.5.2).
   */
  location: string
  /** Always absent: a code has a key or a location. */
  key?: undefined
  /** Always absent: the charge has it. */
  amount?: undefined
  /** Always absent: the charge has it. */
  txid?: undefined
  /** Always absent: the charge has it. */
  message?: undefined
  /** Always absent: the charge has it. */
  withdrawalFacilitator?: undefined
}

/**
 * A code with a recurrence and no payment (Manual de Padrões para Iniciação do Pix, 2.8).
 *
 * @example
 * const fields: RecurrenceFields = {
 *   recurrence: 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002',
 *   merchantName: 'Fulano de Tal',
 *   merchantCity: 'BRASILIA',
 * }
 */
export interface RecurrenceFields extends CommonFields {
  /** Determined by the fields. `encode` does not need it, and refuses a contradicting one. */
  kind?: 'recurrence' | undefined
  /**
   * Object 80-25 (any of 80 to 99): where the recurrence is fetched, without `https://`, up to 77
   * characters, with `rec` before the token.
   */
  recurrence: string
  /** Always absent: the code has no payment. */
  key?: undefined
  /** Always absent: the code has no payment. */
  location?: undefined
  /** Always absent: the code has no payment. */
  amount?: undefined
  /** Always absent: the code has no payment. */
  txid?: undefined
  /** Always absent: the code has no payment. */
  message?: undefined
  /** Always absent: the code has no payment. */
  withdrawalFacilitator?: undefined
}

/**
 * The input of {@link encode}. The result of {@link decode} is also accepted, and is written
 * unchanged.
 *
 * @example
 * const fields: BrCodeFields = { key: '12345678909', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }
 */
export type BrCodeFields = (StaticFields | DynamicFields | RecurrenceFields) & {
  /**
   * The objects of a decoded code, at most 100. If present, they are written, and the fields must
   * agree with them.
   */
  objects?: readonly BrObject[] | undefined
}

/**
 * The result of {@link decode}. An absent field is `undefined`.
 *
 * @example
 * const isPaidAtOnce = (code: BrCode) => code.kind !== 'recurrence'
 */
export type BrCode = (
  | (StaticFields & { kind: 'static' })
  | (DynamicFields & { kind: 'immediate' | 'due-date' })
  | (RecurrenceFields & { kind: 'recurrence' })
) & {
  /** The id of the template that belongs to Pix: `"26"` to `"51"`. */
  account: string
  /** All objects of the first level in order, known or not, including 63. */
  objects: readonly BrObject[]
  /**
   * Paths of objects that have a value but no meaning in a code of this kind, such as `"54"` and
   * `"62-05"` of a dynamic one (2.7).
   */
  ignored: readonly string[]
  /** The deviations that the lenient profile accepted; empty in the strict profile. */
  issues: readonly Issue[]
}

export type FieldName = Exclude<keyof (StaticFields | DynamicFields | RecurrenceFields), 'kind'>

/** Fields before their kind is known. */
export type Fields = { [name in FieldName]?: string | undefined }
