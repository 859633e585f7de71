import type { Behaviour, Source } from '@partner-payments/spec/behaviour'
import { parse } from 'iso8601-duration'

export type { Behaviour }

/** Statements of the document, by their ids. */
export type Facts = readonly { readonly id: string; readonly section: string; readonly says: string }[]

/** What the pages of resources and errors are made of. */
export interface BehaviourInput {
  readonly behaviour: Behaviour
  readonly facts: Facts
}

/**
 * The mark of a statement's source: the badge of its open question, or the section of the document that states it.
 *
 * @param inherited The source of what is around it, where it names none of its own.
 */
export function sourceMark({ fact, question }: Source, facts: Facts, inherited: Source = {}): string {
  if (question !== undefined) return `{{assumption:${question}}}`
  const id = fact ?? inherited.fact
  if (id === undefined) return inherited.question === undefined ? '' : `{{assumption:${inherited.question}}}`
  const section = facts.find((it) => it.id === id)?.section
  return `<span class="fact">fact, from “${section ?? id}”</span>`
}

/** A duration of ISO 8601 in words: PT30M is 30 minutes. */
export function durationText(duration: string): string {
  const counts: readonly [string, number][] = Object.entries(parse(duration))
  return counts
    .filter(([, count]) => count > 0)
    .map(([units, count]) => `${count} ${count === 1 ? units.slice(0, -1) : units}`)
    .join(' ')
}

/** The place of an error code in the error catalogue. */
export function errorLink(code: string): string {
  return `[\`${code}\`](errors.md#${code})`
}
