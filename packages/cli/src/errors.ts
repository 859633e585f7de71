import { visible } from '@partner-payments/contract'

/** An error for the person at the terminal: what happened, and what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: number = 1
}

/** An error with text of the service, in which other people may write. */
export class ServiceError extends CliError {
  override readonly name = 'ServiceError'
  /** What happened, in words of this command. */
  readonly summary: string
  /** What the service wrote. */
  readonly serviceText: string

  constructor(summary: string, serviceText: string, options?: ErrorOptions) {
    super(`${summary}: ${visible(serviceText)}`, options)
    this.summary = summary
    this.serviceText = serviceText
  }
}

/**
 * Finds why a command stopped a request of the client: the service is no sandbox, or did not issue
 * the token. The client reports it as a cause. Undefined if the command did not stop it.
 */
export function findRefusal(error: Error): CliError | undefined {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof CliError) return cause
  }
  return undefined
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
