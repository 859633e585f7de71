/** What an API needs besides its contract: functions and values that the contract names or cannot say. */
export interface ProfileData {
  /** Edits of a string, by the names that the behaviour files use; undefined where the string has no such part. */
  readonly edits: Readonly<Record<string, (text: string) => string | undefined>>
  /** Checks of fields that need a codec, by the names that the behaviour files use. */
  readonly checks: Readonly<Record<string, NamedCheck>>
  /** The operation that moves money, and where its request has the amount. */
  readonly payment?: { readonly operation: string; readonly amount: string }
  /** Values of requests by operation and pointer: for payments of an amount, and charges due on a day (2026-11-21). */
  readonly values: (amount: string, day: string) => Values
}

/** Values of requests by operation and pointer. */
export type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The fields that a check reads, and when the response came. */
export interface NamedInput {
  readonly fields: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970 at which the response came; undefined where the record may be older. */
  readonly at: number | undefined
}

export interface NamedCheck {
  /** A sentence about what is wrong; undefined where all is right. */
  readonly run: (input: NamedInput) => string | undefined
  /** Responses of one operation that are checked in a run at most, where a check takes its time. */
  readonly maxResponses?: number
}
