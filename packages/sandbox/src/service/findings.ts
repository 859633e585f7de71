import { describeFindings, stepsOf, valueAt } from '@partner-payments/contract'
import type { Finding } from '@partner-payments/validator'
import { Refusal } from '../problems.ts'

/**
 * Throws the refusal of a request that breaks the contract; a wrong media type has its own code. A
 * finding is one place where the validator found an error.
 */
export function requireNoFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  if (findings.some(({ place }) => place === 'media-type')) {
    throw new Refusal('unsupported_media_type')
  }

  throw new Refusal('invalid_request', describeFindings(findings))
}

/**
 * Removes fields that the contract does not name from a body, in place, so that they are neither
 * stored nor returned. This is the assumption to the open question `unknown-fields`.
 *
 * @param findings what the validator found in this body
 */
export function dropUnknown(body: unknown, findings: readonly Finding[]): void {
  for (const { place, pointer, keyword } of findings) {
    const isUnknown = place === 'body' && keyword === 'unknown'
    if (!isUnknown) continue

    const parentPointer = pointer.slice(0, pointer.lastIndexOf('/'))
    // The validator found the field in it, so it is an object.
    const parent = valueAt(body, parentPointer) as Record<string, unknown>
    const name = stepsOf(pointer).at(-1) ?? ''
    delete parent[name]
  }
}
