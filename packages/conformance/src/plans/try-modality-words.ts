import { isAtOrInside } from '../contract/json.ts'
import { CREATION_WITH_MODALITIES, type ModalityWord } from '../form/modality-words.ts'
import { type Input, mayRefuseValue, type Outcome } from '../send/requests.ts'
import { withFields } from './bodies.ts'
import { findNamedFields } from './named-fields.ts'
import type { PlanContext } from './plan.ts'
import { withSend } from './with-send.ts'

/**
 * A context whose `send` tries the words of the service for modalities: if a service takes `value` in place of 1 for a
 * discount, and refuses 1 for a deduction, it is sent `value` for that too. If the service takes the word there, all
 * further requests have it, in each plan. Nothing is tried where no word is known.
 */
export function withModalityWords(context: PlanContext): PlanContext {
  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const outcome = await context.send(id, input)
    return id === CREATION_WITH_MODALITIES ? tryWords(context, { input, outcome }) : outcome
  }

  return withSend(context, send)
}

interface Sent {
  readonly input: Input
  readonly outcome: Outcome
}

/**
 * Sends a refused request again with guessed words, as long as the service takes them, since its refusal may name one
 * field at a time. Returns the last outcome with words that the service takes; that of the request itself if there are
 * none.
 */
async function tryWords(context: PlanContext, { input, outcome }: Sent): Promise<Outcome> {
  const { modalityWords } = context.form
  const guesses = guessWords(context, { input, outcome })
  if (guesses.length === 0) return outcome

  const words = Object.fromEntries(guesses.map(({ field, word }) => [field, word]))
  const again = { ...input, body: withFields(input.body, words) }
  const outcomeAgain = await context.send(CREATION_WITH_MODALITIES, again)
  // The end of the run may have kept it back.
  if (outcomeAgain.sentAt === 0) return outcome

  const wrongGuesses = guesses.filter((guess) => !isTaken(guess, { outcome, again, outcomeAgain }))
  for (const guess of guesses) {
    if (wrongGuesses.includes(guess)) modalityWords.giveUp(guess)
    else modalityWords.learn(guess)
  }
  if (wrongGuesses.length > 0) return tryWords(context, { input, outcome })
  return tryWords(context, { input: again, outcome: outcomeAgain })
}

/** Guesses words for the modalities for which a request may have been refused. */
function guessWords({ form }: PlanContext, { input, outcome }: Sent): readonly ModalityWord[] {
  if (!mayRefuseValue(outcome.status)) return []

  const guesses = form.modalityWords.guess(input.body, input.intent)
  const namedFields = findNamedFields(input.body, outcome.json)
  if (namedFields.length > 0) return guesses.filter(({ field }) => isNamed(field, namedFields))
  // Of a variant, an edit may be the reason.
  return input.intent === undefined ? guesses : []
}

/** Whether fields that a refusal names include a modality, or what it is a part of. */
function isNamed(modality: string, namedFields: readonly string[]): boolean {
  return namedFields.some((field) => isAtOrInside(modality, field))
}

/** A refused request, and what became of it with guessed words. */
interface Trial {
  readonly outcome: Outcome
  readonly again: Input
  readonly outcomeAgain: Outcome
}

/**
 * Whether a service takes a guessed word: it accepts the request, or refuses it for another field. A refusal that names
 * no field leaves it open, and the word is given up.
 */
function isTaken({ field }: ModalityWord, { outcome, again, outcomeAgain }: Trial): boolean {
  if (outcomeAgain.isAccepted) return true

  const wasNamed = findNamedFields(again.body, outcome.json).length > 0
  const namedFields = findNamedFields(again.body, outcomeAgain.json)
  return wasNamed && namedFields.length > 0 && !isNamed(field, namedFields)
}
