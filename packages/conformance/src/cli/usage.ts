/** Flags or files that cannot be used; the message says which, and what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} always. */
export function refuse(message: string): never {
  throw new UsageError(message)
}
