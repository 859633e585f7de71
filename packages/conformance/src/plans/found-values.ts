import type { Json } from '../contract/json.ts'

/**
 * Values that the service has accepted where it refused those of an example, by operationId and by the
 * index of the example.
 */
export class FoundValues {
  readonly #values = new Map<string, Json>()
  readonly #tried = new Set<string>()

  /** The values by pointer; none if the example is accepted, or nothing else is. */
  of(operation: string, example: number): Json {
    return this.#values.get(`${operation} ${example}`) ?? {}
  }

  keep(operation: string, example: number, values: Json): void {
    this.#values.set(`${operation} ${example}`, values)
  }

  /** Whether other values are tried for the first time. Notes that they are. */
  begin(operation: string, example: number): boolean {
    const name = `${operation} ${example}`
    const isFirst = !this.#tried.has(name)
    this.#tried.add(name)
    return isFirst
  }
}
