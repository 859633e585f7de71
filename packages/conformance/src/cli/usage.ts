/** Flags that cannot be used; the message says which, and what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A file that a flag names and that cannot be read, understood or written; the message says why. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** @throws {UsageError} always. */
export function refuse(message: string): never {
  throw new UsageError(message)
}

/** @throws {FileError} always. */
export function refuseFile(message: string): never {
  throw new FileError(message)
}
