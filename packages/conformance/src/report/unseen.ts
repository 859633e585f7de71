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
  /** The lists that have a second page, of which none was read. */
  readonly unreadLists: readonly string[]
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

/** The statement of an invalid value that was accepted, so that no accepted value shows anything. */
export const NOT_VALIDATED = 'invalid and accepted'

/**
 * Lists the parts of an assumption that nothing has shown, in words: `['the time-out', 'evp']`. With such parts, it
 * is confirmed in part at most, even if all its statements had a case that passed.
 */
export function listUnseenParts(question: string, shown: ShownOfQuestion): readonly string[] {
  const { declared, statements, learned } = shown
  // What the checker has no case of, and the values of enumerations that did not occur.
  const parts = [...(PARTS_WITHOUT_CASE[question] ?? []), ...listUnseenValues(shown)]
  parts.push(...shown.unreadLists.map((list) => `the second page of ${list}`))
  // There is no assumption that a service could confirm.
  if (declared.basis === 'open') parts.push('what the contract leaves open')

  // The run did as the user said, and so did not see what the service does otherwise.
  if (learned.some(({ isGiven }) => isGiven)) parts.push('what --set says')

  // The service does not look at the values of requests, so that it takes any.
  const isValidated = statements.every(({ statement }) => statement !== NOT_VALIDATED)
  if (!isValidated) parts.push('what requests show, since an invalid value was accepted too')

  // The service refused as assumed, but not with the status that the assumption names.
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

/**
 * Lists the values that no message had, of the enumerations of which messages had some value: `evp` if only
 * `cpf` and `email` occurred, or `InterestInput/modality 2`.
 */
function listUnseenValues(shown: ShownOfQuestion): readonly string[] {
  const { document, learned } = shown
  const ofValues = shown.sightings.filter(({ of }) => ASPECTS_OF_VALUES.has(of))
  // All words that were seen at any place.
  const words = ofValues.flatMap(({ seen }) => Object.keys(seen))
  const seenWords = new Set(words.map((word) => toContractWord(word, learned).toLowerCase()))
  const unseen = new Set<string>()
  for (const { at, seen } of ofValues)
    for (const value of listItems(valueAt(document, `${at}/enum`))) {
      // A word such as `pending` means the same at each place, so that it may have been seen at any.
      if (isWord(value)) {
        if (!seenWords.has(value.toLowerCase())) unseen.add(value)
        continue
      }

      // Another value, such as the number of a modality, means something at its own place alone.
      if (!isAmong(seen, value)) unseen.add(`${describePlace(at)} ${value}`)
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
