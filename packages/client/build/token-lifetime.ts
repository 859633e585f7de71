import type { Behaviour } from '@partner-payments/spec/behaviour'

/** Milliseconds of each unit of a lifetime. */
const UNIT_MS: Readonly<Record<string, number>> = { seconds: 1000, milliseconds: 1 }

/** The unit in which responses show how long an access token works. */
export function printTokenLifetime({ lifetimes }: Behaviour): string {
  const unit = lifetimes?.['access-token']?.expires.unit ?? ''
  const unitMs = UNIT_MS[unit]
  if (unitMs === undefined)
    throw new Error(`the client knows no unit "${unit}" of the lifetime access-token`)

  return `
/** Milliseconds of the unit of \`expiration\`. */
export const EXPIRATION_UNIT_MS = ${unitMs}
`
}
