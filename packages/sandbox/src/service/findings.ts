import { stepsOf, valueAt } from '@partner-payments/contract'
import type { Finding } from '@partner-payments/validator'
import { type ProblemError, Refusal } from '../problems.ts'

/** Maximum number of errors in a refusal. */
const MAX_ERRORS = 100

/** Refuses a request with validation errors. */
export function refuseFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  if (findings.some(({ place }) => place === 'media-type')) {
    throw new Refusal('unsupported_media_type')
  }

  const places = findings.length === 1 ? '1 place' : `${findings.length} places`
  const detail = `The request breaks the contract in ${places}.`
  const errors = findings.slice(0, MAX_ERRORS).map(errorOf)
  throw new Refusal('invalid_request', { detail, errors })
}

function errorOf({ place, pointer, keyword, message }: Finding): ProblemError {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const subject = name ? `"${name}"` : `The ${place}`
  return {
    pointer: place === 'body' ? pointer : name,
    code: keyword,
    detail: `${subject}: ${message}.`,
  }
}

/**
 * Removes fields that the contract does not name, so that they are neither stored nor returned.
 * This is the assumption to the open question `unknown-fields`.
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
