import type { Contract, DeclaredQuestion } from '../contract/contract.ts'
import { listItems, valueAt } from '../contract/json.ts'
import type { Learned } from '../form/service-form.ts'
import type { StatementCases } from './report.ts'
import { describeWord, isWord, type Sighting } from './sightings.ts'

/** What a history has shown of an open question. */
export interface ShownOfQuestion {
  readonly declared: DeclaredQuestion
  readonly statements: readonly StatementCases[]
  readonly sightings: readonly Sighting[]
  /** The service's own words. */
  readonly learned: readonly Learned[]
  readonly document: Contract['document']
}

/** Parts of assumptions of which the checker has no case, by question. */
const PARTS_WITHOUT_CASE: Readonly<Record<string, readonly string[]>> = {
  'user-fields': ['whose created_at it is', 'what username is for'],
  'customer-fields': ['provider_id', 'referral_code'],
  delivery: ['the time-out', 'the order'],
}

/** The statement of a refusal whose status is not that of the contract. */
export const OTHER_STATUS = 'refused with another status'

/**
 * Lists the parts of an assumption that nothing has shown, beside the statements that rules settle. Then it is
 * confirmed in part at most: the values of an enumeration that did not occur, the statuses of refusals, and what
 * the checker has no case of.
 */
export function listUnseenParts(question: string, shown: ShownOfQuestion): readonly string[] {
  const { declared, statements } = shown
  const parts = [...(PARTS_WITHOUT_CASE[question] ?? []), ...listUnseenValues(shown)]
  // There is no assumption that a service could confirm.
  if (declared.basis === 'open') parts.push('what the contract leaves open')

  const hasOtherStatus = statements.some(({ statement }) => statement === OTHER_STATUS)
  if (hasOtherStatus && namesStatus(declared.assumption)) parts.push('the status of each refusal')
  return parts
}

/** Whether an assumption names the status of a refusal: `refused (422)`. */
function namesStatus(assumption: string): boolean {
  return /\b4\d\d\b/.test(assumption)
}

/** What requests and responses show of an enumeration. */
const ASPECTS_OF_VALUES: ReadonlySet<string> = new Set(['value', 'accepted'])

/** Lists the values that no message had, of the enumerations of which messages had some value. */
function listUnseenValues(shown: ShownOfQuestion): readonly string[] {
  const { document, learned } = shown
  const ofValues = shown.sightings.filter(({ of }) => ASPECTS_OF_VALUES.has(of))
  const words = ofValues.flatMap(({ seen }) => Object.keys(seen))
  const seenWords = new Set(words.map((word) => toContractWord(word, learned).toLowerCase()))
  const unseen = new Set<string>()
  for (const { at, seen } of ofValues)
    for (const value of listItems(valueAt(document, `${at}/enum`))) {
      // The same word means the same at each place. Another value, such as the number of a modality, does not.
      const wasSeen = isWord(value) ? seenWords.has(value.toLowerCase()) : isAmong(seen, value)
      if (wasSeen) continue
      unseen.add(isWord(value) ? value : `${describePlace(at)} ${value}`)
    }
  return [...unseen]
}

/** Translates a word of the service: `processing` to the `pending` of `transfer/status/pending`. */
function toContractWord(word: string, learned: readonly Learned[]): string {
  const found = learned.find(({ value }) => value === word)
  return found?.name.split('/').at(-1) ?? word
}

/** Whether a value is among what was seen, as itself or by its form. */
function isAmong(seen: Sighting['seen'], value: unknown): boolean {
  return Object.hasOwn(seen, describeWord(value)) || Object.hasOwn(seen, String(value))
}

/** Describes a schema: `InterestInput/modality`. */
function describePlace(at: string): string {
  return at.replace('/components/schemas/', '').replaceAll('/properties/', '/')
}
