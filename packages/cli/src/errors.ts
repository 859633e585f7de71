/** An error for the person at the terminal: what happened, and what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: number = 1
}

/** Wrong arguments. */
class UsageError extends CliError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}

/** @throws {UsageError} always */
export function refuse(message: string): never {
  throw new UsageError(message)
}
