import type { Resource } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'

/**
 * Values that a user gives because nothing shows them, by their first word and by pointer: `list` and
 * `/next`, or `webhook` and `/status/inactive`.
 */
export type GivenForm = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const resources: Readonly<Record<string, Resource>> = behaviour.resources
const EVENTS: ReadonlySet<string> = new Set(Object.keys(behaviour.events))

/** The first words of values that can be given: these, and the names of resources. */
export const FIRST_WORDS = ['list', 'error', 'event', 'token', 'authorization', 'place']

/** Whether a value of `--set` says how the service writes something, and is no value of a request. */
export function isOfForm(name: string): boolean {
  return FIRST_WORDS.includes(name) || Object.hasOwn(resources, name)
}

/** An invalid `--set`: nothing reads it, or it cannot have this value. */
export class GivenFormError extends TypeError {}

/** The pointers that each first word can have: as a pattern, and in words. */
const SETTABLE: Readonly<Record<string, readonly [pattern: RegExp, words: string]>> = {
  list: [/^\/(next|order\/\w+|items\/\w+)$/, '/next, /order/OPERATION or /items/OPERATION'],
  error: [/^\/code$/, '/code'],
  event: [/^\/[\w.]+$/, '/EVENT, such as /transfer.settled'],
  token: [/^\/\w+$/, '/RESOURCE, such as /transfer'],
  authorization: [/^\/scheme$/, '/scheme'],
  place: [/^\/\w+(\/.+)?$/, '/RESOURCE or /RESOURCE/FIELD, such as /immediateQrCode/emv'],
}
/** The same for the names of resources. */
const SETTABLE_OF_RESOURCES = [/^\/\w+\/.+$/, '/FIELD/WORD, such as /status/inactive'] as const

/** What `list/next` is where the header Link of a page leads to the next one (RFC 8288). */
export const LINK_HEADER = 'link'

/** The identity whose token a service may want where the contract takes that of the partner too. */
export const CUSTOMER = 'customer'

/** The name of a scheme: a token of HTTP (RFC 9110, section 11.1). */
export const SCHEME = /^[\w!#$%&'*+.^`|~-]{1,20}$/

/**
 * Checks that the option `--set <firstWord><pointer>=<value>` names something that the checker reads, such
 * as `--set list/next=/cursor`, and gives it a value that it can have.
 *
 * @throws {GivenFormError} if nothing reads it, since it is misspelt, or it cannot have the value
 */
export function requireSettable(firstWord: string, pointer: string, value: string): void {
  const [allowedPointers, allowedInWords] = SETTABLE[firstWord] ?? SETTABLE_OF_RESOURCES
  const isUnknownEvent = firstWord === 'event' && !EVENTS.has(pointer.slice(1))
  if (!allowedPointers.test(pointer) || isUnknownEvent)
    throw new GivenFormError(
      `${firstWord} has no "${pointer}" that can be set; it has ${allowedInWords}`,
    )

  if (firstWord === 'token' && value !== CUSTOMER)
    throw new GivenFormError(`token${pointer} can only be "${CUSTOMER}", got "${value}"`)

  if (firstWord === 'authorization' && !SCHEME.test(value))
    throw new GivenFormError(
      `authorization${pointer} must be a scheme such as Token, or "none", got "${value}"`,
    )
}

/** Whether a name is that of an event of the contract. */
export function isDeclaredEvent(name: string): boolean {
  return EVENTS.has(name)
}
