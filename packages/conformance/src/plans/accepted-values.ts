import type { Json } from '../contract/json.ts'

/**
 * Values that the service accepted where it refused those of an example of the contract, such as
 * `{ '/dict_key': '12345678909' }` for the first example of `checkKey`.
 */
export class AcceptedValues {
  readonly #valuesByExample = new Map<string, Json>()
  readonly #searchedExamples = new Set<string>()

  /** The values by pointer. Empty if the example itself is accepted, or nothing else is. */
  valuesFor(operation: string, example: number): Json {
    return this.#valuesByExample.get(`${operation} ${example}`) ?? {}
  }

  remember(operation: string, example: number, values: Json): void {
    this.#valuesByExample.set(`${operation} ${example}`, values)
  }

  /** Notes that other values are tried for an example. Returns whether that is the first time. */
  beginSearch(operation: string, example: number): boolean {
    const name = `${operation} ${example}`
    const isFirst = !this.#searchedExamples.has(name)
    this.#searchedExamples.add(name)
    return isFirst
  }
}
