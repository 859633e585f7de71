import { stepsOf, valueAt } from '@partner-payments/text'
import type { Finding } from '@partner-payments/validator'
import { type ProblemError, Refusal } from '../problems.ts'

/** Maximum number of errors in a refusal. */
const SHOWN = 100

/** Refuses a request with validation errors. */
export function refuseFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  if (findings.some(({ place }) => place === 'media-type'))
    throw new Refusal('unsupported_media_type')
  const places = findings.length === 1 ? '1 place' : `${findings.length} places`
  const detail = `The request breaks the contract in ${places}.`
  throw new Refusal('invalid_request', { detail, errors: findings.slice(0, SHOWN).map(errorOf) })
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
    if (place !== 'body' || keyword !== 'unknown') continue
    const parent = valueAt(body, pointer.slice(0, pointer.lastIndexOf('/')))
    delete (parent as Record<string, unknown>)[stepsOf(pointer).at(-1) ?? '']
  }
}
