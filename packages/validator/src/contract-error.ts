/**
 * The document is invalid: a reference cannot be resolved, a keyword has an invalid value, or the OpenAPI version is not
 * supported. Never thrown because of a message.
 *
 * @example
 * try {
 *   createValidator({ openapi: '3.0.3' })
 * } catch (error) {
 *   if (error instanceof ContractError) console.error(error.pointer, error.keyword, error.message)
 * }
 */
export class ContractError extends Error {
  /** Always `ContractError`, even if a bundle has two copies of the class. */
  override readonly name = 'ContractError'
  /** JSON pointer to the invalid value in the document. */
  readonly pointer: string
  /** The keyword with the invalid value. */
  readonly keyword: string

  /** Internal: only the validator throws it. */
  constructor(pointer: string, keyword: string, message: string, options?: ErrorOptions) {
    super(`"${pointer}" ${message}`, options)
    this.pointer = pointer
    this.keyword = keyword
  }
}
