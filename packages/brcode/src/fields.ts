import type { Issue } from './error.ts'
import type { BrObject } from './tlv.ts'

/**
 * What the code asks for, told by the code alone: a Pix to a key, a charge due now, a charge with a due date, or
 * consent to a recurrence (Manual de Padrões para Iniciação do Pix, 2.5.2 and 2.8).
 *
 * @example
 * const charges: readonly BrCodeKind[] = ['immediate', 'due-date']
 */
export type BrCodeKind = 'static' | 'immediate' | 'due-date' | 'recurrence'

/** What every code carries (Manual de Padrões para Iniciação do Pix, 2.6 and 2.7). */
interface CommonFields {
  /** The id of the template that belongs to Pix: `"26"` to `"51"`. Absent is written `26`, or as `objects` have it. */
  account?: string | undefined
  /** Object 59, 1 to 25 printable ASCII characters. The payer is shown the name registered in the DICT instead. */
  merchantName: string
  /** Object 60, 1 to 15 printable ASCII characters. */
  merchantCity: string
  /** Object 52, the merchant category code (ISO 18245): four digits. Absent is written `0000`. */
  merchantCategory?: string | undefined
  /** Object 61, up to 10 printable ASCII characters. */
  postalCode?: string | undefined
  /** Object 01: `"11"` reusable, `"12"` for one use. Advisory: it does not tell static from dynamic. */
  pointOfInitiation?: '11' | '12' | undefined
  /** Object 80-25 (any of 80 to 99): where the recurrence is fetched, without `https://`, up to 77 characters. Makes the code a composite (2.8). */
  recurrence?: string | undefined
}

/**
 * A code that names a key (Manual de Padrões para Iniciação do Pix, 2.6).
 *
 * @example
 * const fields: StaticFields = { key: '+5561912345678', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }
 */
export interface StaticFields extends CommonFields {
  /** What the fields make; `encode` needs no kind, and refuses one that they do not make. */
  kind?: 'static' | undefined
  /** Object 26-01: a Pix key in the form of the DICT, up to 77 characters. */
  key: string
  /** Object 54: reais, as a decimal string with a dot and at most two decimals, up to 13 characters, not zero unless for a withdrawal. Absent: the payer types it. */
  amount?: string | undefined
  /** Object 62-05: 1 to 25 letters and digits. Absent is written `***`. */
  txid?: string | undefined
  /** Object 26-02: printable ASCII; shares the 99 characters of its template with the key, so at most 72. */
  message?: string | undefined
  /** Object 26-03: ISPB of who hands out the cash, eight digits or upper-case letters. Its presence makes the payment a withdrawal (Pix Saque). */
  withdrawalFacilitator?: string | undefined
  /** Absent: a code names a key or a charge. */
  location?: undefined
}

/**
 * A code that names a charge at the receiver's institution (Manual de Padrões para Iniciação do Pix, 2.7). It carries
 * no amount and no txid: they are in the charge.
 *
 * @example
 * const fields: DynamicFields = {
 *   location: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441',
 *   merchantName: 'Fulano de Tal',
 *   merchantCity: 'BRASILIA',
 * }
 */
export interface DynamicFields extends CommonFields {
  /** What the location makes; `encode` needs no kind, and refuses one that it does not make. */
  kind?: 'immediate' | 'due-date' | undefined
  /** Object 26-25: where the charge is fetched, without `https://`, up to 77 characters. Due-date when the segment of its path before the last is `cobv` (2.5.2). */
  location: string
  /** Absent: a code names a key or a charge. */
  key?: undefined
  /** Absent: the charge says it. */
  amount?: undefined
  /** Absent: the charge says it. */
  txid?: undefined
  /** Absent: the charge says it. */
  message?: undefined
  /** Absent: the charge says it. */
  withdrawalFacilitator?: undefined
}

/**
 * A code that names a recurrence and no payment (Manual de Padrões para Iniciação do Pix, 2.8).
 *
 * @example
 * const fields: RecurrenceFields = {
 *   recurrence: 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002',
 *   merchantName: 'Fulano de Tal',
 *   merchantCity: 'BRASILIA',
 * }
 */
export interface RecurrenceFields extends CommonFields {
  /** What the fields make; `encode` needs no kind, and refuses one that they do not make. */
  kind?: 'recurrence' | undefined
  /** Object 80-25 (any of 80 to 99): where the recurrence is fetched, without `https://`, up to 77 characters, with `rec` before the token. */
  recurrence: string
  /** Absent: the code names no payment. */
  key?: undefined
  /** Absent: the code names no payment. */
  location?: undefined
  /** Absent: the code names no payment. */
  amount?: undefined
  /** Absent: the code names no payment. */
  txid?: undefined
  /** Absent: the code names no payment. */
  message?: undefined
  /** Absent: the code names no payment. */
  withdrawalFacilitator?: undefined
}

/**
 * What {@link encode} writes. What {@link decode} returned is one too, and is written as it was read.
 *
 * @example
 * const fields: BrCodeFields = { key: '12345678909', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }
 */
export type BrCodeFields = (StaticFields | DynamicFields | RecurrenceFields) & {
  /** The objects of a decoded code, at most 100. Where given they are written, and the fields have to agree with them. */
  objects?: readonly BrObject[] | undefined
}

/**
 * What {@link decode} reads. A field that the code leaves out is `undefined`.
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
  /** Every object of the first level in its order, known or not, 63 included. */
  objects: readonly BrObject[]
  /** Paths of objects that are filled and mean nothing in a code of this kind, as `"54"` and `"62-05"` of a dynamic one (2.7). */
  ignored: readonly string[]
  /** What the lenient profile let pass; empty in the strict one. */
  issues: readonly Issue[]
}

export type FieldName = Exclude<keyof (StaticFields | DynamicFields | RecurrenceFields), 'kind'>

/** Fields before it is known of what kind they are. */
export type Fields = { [name in FieldName]?: string | undefined }
