import { behaviour, type Invariant } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { listResponseSchemas, type ShownSchema } from '../contract/shown-schemas.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'

/** So many values are remembered. */
const MAX_VALUES = 50_000

/** The invariants that compare a record with others. */
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

  /** Remembers what the records of a response show. */
  fold(exchange: Exchange): void {
    if (exchange.outcome !== 'accepted' || !exchange.operation) return
    const schemas = listResponseSchemas(exchange.operation, exchange.status, exchange.responseBody)
    for (const schema of schemas)
      for (const [name, invariant] of compared)
        if (invariant.of.includes(schema.name)) this.#remember(name, invariant, schema)
  }

  /**
   * Remembers what an invariant compares with later records: whose unique values are taken (`unique`), and
   * which values all records with the same key must share (`sameFor`), such as the owner of a key. The
   * first record that shows a value counts.
   *
   * @param name The name of the invariant in the contract.
   */
  #remember(name: string, { unique = [], sameFor }: Invariant, { value }: ShownSchema): void {
    // Records without an id count as one record.
    const id = stringAt(value, '/id') ?? ''
    for (const pointer of unique) {
      const uniqueValue = stringAt(value, pointer)
      if (!uniqueValue || this.findIdWith(name, pointer, uniqueValue) !== undefined) continue
      this.#ids.set(`${name} ${pointer} ${uniqueValue}`, id)
    }

    if (!sameFor) return
    const key = stringAt(value, sameFor.value)
    if (!key) return
    for (const pointer of sameFor.fields) {
      const sharedValue = valueAt(value, pointer)
      if (sharedValue === undefined || this.findValue(name, pointer, key) !== undefined) continue
      this.#values.set(`${name} ${pointer} ${key}`, sharedValue)
    }
  }
}
