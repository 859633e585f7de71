/**
 * The document cannot be used as it is: a reference that leads nowhere, a keyword with a value that it cannot have, or
 * another version of OpenAPI. Never thrown for what a message holds.
 *
 * @example
 * try {
 *   createValidator({ openapi: '3.0.3' })
 * } catch (error) {
 *   if (error instanceof ContractError) console.error(error.pointer, error.keyword, error.message)
 * }
 */
export class ContractError extends Error {
  /** Always `ContractError`, also where a bundle has two copies of the class. */
  override readonly name = 'ContractError'
  /** JSON pointer into the document, to the value that is wrong. */
  readonly pointer: string
  /** The keyword that has the value. */
  readonly keyword: string

  /** Not for callers: the validator throws it. */
  constructor(pointer: string, keyword: string, message: string, options?: ErrorOptions) {
    super(`"${pointer}" ${message}`, options)
    this.pointer = pointer
    this.keyword = keyword
  }
}
