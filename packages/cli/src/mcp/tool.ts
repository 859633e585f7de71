import { CliError } from '../errors.ts'

/** Something that an agent can call, with the JSON Schema of its arguments. */
export interface Tool {
  readonly description: string
  readonly inputSchema: InputSchema
  /** Hints for the program of the agent, which may ask a person first. */
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint?: boolean
    readonly destructiveHint?: boolean
  }
  /** @throws {CliError} whose message the agent gets as a failed result */
  call(args: Arguments): Promise<string>
}

export type Arguments = Readonly<Record<string, unknown>>

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** Maximum number of characters of a result, since an agent reads all of them. */
export const MAX_RESULT = 20_000

/** @throws {CliError} if the argument is not a string */
export function stringOf(args: Arguments, name: string): string {
  const value = args[name]
  if (typeof value === 'string') return value
  throw new CliError(`"${name}" must be a string, got ${JSON.stringify(value)}.`)
}
