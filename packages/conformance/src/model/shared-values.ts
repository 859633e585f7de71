import { behaviour, type Invariant } from '../contract/behaviour.ts'
import { type Json, stringAt, valueAt } from '../contract/json.ts'
import { listResponseSchemas } from '../contract/shown-schemas.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'

/** So many values are remembered. */
const MAX_VALUES = 50_000

type SameFor = NonNullable<Invariant['sameFor']>

/**
 * The invariants that compare a record with others: `['end-to-end-id-unique', { unique: ['/end_to_end_id'], … }]`, or
 * those whose `sameFor` says that records with one `/account_id` have the same payer.
 */
const compared = Object.entries<Invariant>(behaviour.invariants).filter(
  ([, { unique, sameFor }]) => unique !== undefined || sameFor !== undefined,
)

/**
 * What earlier responses have shown of fields that no two records share, and of fields that all
 * records with one value share.
 */
export class SharedValues {
  /** The ids of records by invariant, pointer and value of a unique field. */
  readonly #ids = new Bounded<string, string>(MAX_VALUES)
  /** The values of fields by invariant, pointer and the value that records share. */
  readonly #values = new Bounded<string, unknown>(MAX_VALUES)

  /** The id of the first record that showed a value of a unique field. */
  findIdWith(invariant: string, pointer: string, value: string): string | undefined {
    return this.#ids.get(`${invariant} ${pointer} ${value}`)
  }

  /** What the first record with a value showed of a field. */
  findValue(invariant: string, pointer: string, value: string): unknown {
    return this.#values.get(`${invariant} ${pointer} ${value}`)
  }

  /** Takes in the next exchange: remembers what its response shows of the fields that records do or must not share. */
  fold(exchange: Exchange): void {
    if (exchange.outcome !== 'accepted' || !exchange.operation) return

    // The objects in the response, each with the name of its schema: `{ name: 'Transfer', value: { … } }`.
    const schemas = listResponseSchemas(exchange.operation, exchange.status, exchange.responseBody)
    for (const { name: schemaName, value: record } of schemas) {
      // Such as `['end-to-end-id-unique', { of: ['Transfer'], unique: ['/end_to_end_id'] }]`.
      for (const [invariant, { of: schemaNames, unique = [], sameFor }] of compared) {
        if (!schemaNames.includes(schemaName)) continue
        this.#rememberUnique(invariant, unique, record)
        if (sameFor) this.#rememberShared(invariant, sameFor, record)
      }
    }
  }

  /** Remembers the id of the record that first showed each value of the fields that no two records share. */
  #rememberUnique(invariant: string, pointers: readonly string[], record: Json): void {
    // Of a record without an id, an empty one is remembered, so that the value counts as shown.
    const id = stringAt(record, '/id') ?? ''
    for (const pointer of pointers) {
      const value = stringAt(record, pointer)
      if (!value) continue

      const isFirst = this.findIdWith(invariant, pointer, value) === undefined
      if (isFirst) this.#ids.set(`${invariant} ${pointer} ${value}`, id)
    }
  }

  /**
   * Remembers what the first record with a value, such as an `account_id`, shows of the fields that all records with
   * it share, such as `/payer/tax_id`.
   */
  #rememberShared(invariant: string, sameFor: SameFor, record: Json): void {
    const { value: keyPointer, fields: sharedPointers } = sameFor
    const key = stringAt(record, keyPointer)
    if (!key) return

    for (const pointer of sharedPointers) {
      const shownValue = valueAt(record, pointer)
      if (shownValue === undefined) continue

      const isFirst = this.findValue(invariant, pointer, key) === undefined
      if (isFirst) this.#values.set(`${invariant} ${pointer} ${key}`, shownValue)
    }
  }
}
