import { isAtOrInside, valueAt } from '../contract/json.ts'
import { listOptionalParts } from '../plans/bodies.ts'
import { findNamedFields } from '../plans/named-fields.ts'
import type { PlanContext, Refusal } from '../plans/plan.ts'
import { withSend } from '../plans/with-send.ts'
import { type Input, mayRefuseValue, type Outcome } from '../send/requests.ts'

/** A part of valid requests that no example of the contract has: a field or an object, or a word of an enumeration. */
interface Part {
  readonly operation: string
  readonly pointer: string
  /** The word, of a field whose example has another one. */
  readonly word?: string
}

/** A part with which the service never accepted a request. */
export interface RefusedPart extends Part {
  /** The last one. */
  readonly refusal: Refusal
}

/** The words that plans send and no example has. */
const WORDS: readonly Part[] = ['transfer', 'qrcode'].map((word) => ({
  operation: 'createWebhook',
  pointer: '/type',
  word,
}))

/** Collects the optional parts of requests that the service never accepted. */
export function createRefusedParts() {
  const acceptedOperations = new Set<string>()
  const acceptedParts = new Set<string>()
  // By the name of a part, with its last refusal.
  const refusedParts = new Map<string, RefusedPart>()
  return {
    /** Remembers that a request with these parts was accepted. */
    noteAccepted(operation: string, parts: readonly Part[]): void {
      acceptedOperations.add(operation)
      for (const part of parts) acceptedParts.add(nameOfPart(part))
    },

    /** Remembers a refusal that may be about one of these parts. */
    noteRefused(parts: readonly Part[], refusal: Refusal): void {
      const suspects = parts.filter((part) => !acceptedParts.has(nameOfPart(part)))
      for (const part of findRefused(suspects, refusal.fields))
        refusedParts.set(nameOfPart(part), { ...part, refusal })
    },

    /** Lists those that were never accepted, of operations that were accepted without them. */
    list(): readonly RefusedPart[] {
      return [...refusedParts.values()].filter(
        (part) => acceptedOperations.has(part.operation) && !acceptedParts.has(nameOfPart(part)),
      )
    },
  }
}

export type RefusedParts = ReturnType<typeof createRefusedParts>

/** A context whose `send` notes which optional parts of requests the service accepts and refuses. */
export function withRefusedParts(context: PlanContext, refusedParts: RefusedParts): PlanContext {
  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const outcome = await context.send(id, input)
    const { isAccepted, status, json } = outcome
    const parts = listParts(context, id, input.body)
    if (isAccepted) refusedParts.noteAccepted(id, parts)

    // What a plan has edited, it may have made wrong on purpose.
    const isPlain = input.intent === undefined
    if (isPlain && mayRefuseValue(status)) {
      const fields = findNamedFields(input.body, json)
      refusedParts.noteRefused(parts, { status, fields })
    }
    return outcome
  }

  return withSend(context, send)
}

/** Lists the parts that the body of a request has. */
function listParts(context: PlanContext, operation: string, body: unknown): readonly Part[] {
  const optional = listOptionalParts(context, operation).map((pointer) => ({ operation, pointer }))
  const words = WORDS.filter((part) => part.operation === operation)
  return [...optional, ...words].filter(({ pointer, word }: Part) => {
    const value = valueAt(body, pointer)
    return word === undefined ? value !== undefined : value === word
  })
}

/**
 * Finds the parts for which a request was refused: those that the refusal names. If it names none, it is the only one
 * that the named fields contain, such as `/amount` a deduction, or the only one at all if no field is named.
 */
function findRefused(parts: readonly Part[], fields: readonly string[]): readonly Part[] {
  const namedParts = parts.filter(({ pointer }) =>
    fields.some((field) => isAtOrInside(field, pointer)),
  )
  if (namedParts.length > 0) return namedParts

  const isPossible = ({ pointer }: Part) => fields.some((field) => isAtOrInside(pointer, field))
  const possibleParts = fields.length === 0 ? parts : parts.filter(isPossible)
  return possibleParts.length === 1 ? possibleParts : []
}

function nameOfPart({ operation, pointer, word = '' }: Part): string {
  return `${operation} ${pointer} ${word}`
}
