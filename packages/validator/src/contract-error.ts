/**
 * The document cannot be used: a reference that leads nowhere, a pattern or a schema that is none, or another
 * version of OpenAPI. Never thrown for what a message holds.
 *
 * @example
 * try {
 *   createValidator({ openapi: '3.0.3' })
 * } catch (error) {
 *   if (error instanceof ContractError) console.error(error.pointer, error.message)
 * }
 */
export class ContractError extends Error {
  /** Always `ContractError`, also where a bundle has two copies of the class. */
  override readonly name = 'ContractError'
  /** JSON pointer into the document. */
  readonly pointer: string

  /** Not for callers: the validator throws it. */
  constructor(pointer: string, message: string, options?: ErrorOptions) {
    super(`"${pointer}" ${message}`, options)
    this.pointer = pointer
  }
}
