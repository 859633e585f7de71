/** What an API needs in code because its contract cannot express it. */
export interface ProfileData {
  /** Edits of a string, by their names in the behaviour files; undefined if an edit does not apply. */
  readonly edits: Readonly<Record<string, (text: string) => string | undefined>>
  /** Checks that need a codec, by their names in the behaviour files. */
  readonly checks: Readonly<Record<string, NamedCheck>>
  /** The operation that moves money, and the JSON pointer to its amount. */
  readonly payment?: { readonly operation: string; readonly amount: string }
  /** Values for requests, given the amount of payments and the due date of charges (2026-11-21). */
  readonly values: (amount: string, day: string) => Values
}

/** By operationId and JSON pointer. */
export type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface NamedInput {
  readonly fields: Readonly<Record<string, unknown>>
  /** When the response arrived, in milliseconds since 1970; undefined if the record may be older. */
  readonly at: number | undefined
}

export interface NamedCheck {
  /** What is wrong, in one sentence; undefined if nothing is. */
  readonly run: (input: NamedInput) => string | undefined
  /** Limits the responses checked per operation, for slow checks. */
  readonly maxResponses?: number
}
