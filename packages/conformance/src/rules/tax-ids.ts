import type { Finding } from '@partner-payments/validator'
import { isSameValue, stringAt } from '../contract/json.ts'
import { isMaskedTaxId, isSameButMasked } from '../model/tax-ids.ts'

/** Who sees which part of a tax ID. */
export const MASKING_QUESTION = { question: 'owner-masking' }

/**
 * Whether a tax ID has not the form of one only because it is masked. That is a question about who sees it, and
 * not about how it is written.
 */
export function isOfMasking({ question, pointer }: Finding, body: unknown): boolean {
  const isOfForm = question === 'document-forms'
  return isOfForm && isMaskedTaxId(stringAt(body, pointer) ?? '')
}

/** Whether a service shows at a place the value that is known of it. Either may be masked, if it is a tax ID. */
export function isSameOrMasked(pointer: string, known: unknown, shown: unknown): boolean {
  return isSameValue(known, shown) || isSameButMasked(pointer, known, shown)
}
