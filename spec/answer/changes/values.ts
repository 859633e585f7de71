import { pointerOf, stepsOf, valueAt } from '@partner-payments/contract'
import { ENUM_DESCRIPTIONS, ENUM_FROM, isNode, type Node } from '../../lint/marks.ts'
import { placesOf, seenAt } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import {
  type Change,
  type Context,
  changeExamples,
  counted,
  isAbout,
  nodeAt,
  placeBelow,
  requireSource,
  valuesAt,
  wholeWord,
} from './change.ts'
import { renameState } from './states.ts'

/** Enums of which other values were seen, accepted or refused than the contract has. */
export function valueChanges(context: Context): Change[] {
  const { shown } = context
  const seen = placesOf(shown, 'value').filter((at) => !at.startsWith('behaviour#'))
  const sent = new Set([...placesOf(shown, 'accepted'), ...placesOf(shown, 'refused')])
  const ofResponses = seen.flatMap((at) => valueChange(context, at))
  const ofRequests = [...sent].flatMap((at) => requestChange(context, at))
  return [...ofResponses, ...ofRequests]
}

function valueChange(context: Context, at: string): Change[] {
  const { shown, contract } = context
  const seen = seenAt(shown, at, 'value')
  const declared = valuesAt(contract, at)
  const words = Object.keys(seen)
    .map((word) => (word === EMPTY && declared.includes('') ? '' : word))
    .filter((word) => word === '' || (WORD.test(word) && word !== 'null'))
  const added = words.filter(
    (word) => !declared.includes(word) && !isHiddenState(context, at, word),
  )
  if (declared.length === 0 || added.length === 0) return []

  const unseen = declared.filter((value) => !words.includes(value))
  const renamed = renamesOf(context, unseen, added)
  const newNames = Object.values(renamed)
  const others = added.filter((word) => !newNames.includes(word))
  const stillUnseen = unseen.filter((value) => renamed[value] === undefined)
  const names = [...added, ...Object.keys(renamed)]
  return [
    {
      says: `The values seen are ${counted(seen)}.`,
      renamed,
      missing: stillUnseen.map((value) => `a response with ${value}, or with what stands for it`),
      explains: (finding) =>
        isAbout(finding, `${at}/enum`) ||
        names.some((name) => wholeWord(name).test(finding.message)),
      apply: () => changeValues(context, at, { declared, renamed, others, unseen: stillUnseen }),
    },
  ]
}

/** Whether a value is a state that no response should show, which is a difference of its own. */
function isHiddenState({ contract, behaviour }: Context, at: string, word: string): boolean {
  const from = nodeAt(contract, at)[ENUM_FROM]
  if (typeof from !== 'string') return false
  const state = valueAt(behaviour, `/resources/${stepsOf(from)[1]}/states/${word}`)
  return isNode(state) && state.hidden === true
}

/** How the values that were seen differ from those of an enum. */
interface Difference {
  readonly declared: readonly string[]
  /** The new names of declared values. */
  readonly renamed: Readonly<Record<string, string>>
  /** The other values that were seen, and are not declared. */
  readonly others: readonly string[]
  /** Declared values that were seen neither as they are nor under a new name. */
  readonly unseen: readonly string[]
}

function changeValues(context: Context, at: string, difference: Difference): void {
  const { contract } = context
  const { declared, renamed, others, unseen } = difference
  const values = [...declared.map((value) => renamed[value] ?? value), ...others]
  const hasStates = nodeAt(contract, at)[ENUM_FROM] !== undefined

  function nameInExample(value: string): string | undefined {
    // Of a state, each example belongs to what happened before.
    const isReplaced = !hasStates && unseen.includes(value)
    return renamed[value] ?? (isReplaced ? others[0] : undefined)
  }

  for (const enumAt of sameValues(contract, at)) {
    setEnum(context, enumAt, values, renamed)
    changeExamples(context, enumAt, (value) => nameInExample(String(value)))
  }
  renameState(context, { at, renamed, added: others })
}

/**
 * The values of an enum that requests may have: the refused ones leave it, and those that responses
 * show too join it. A service that accepts any text has no words of its own.
 */
function requestChange(context: Context, at: string): Change[] {
  const { shown, contract } = context
  const declared = valuesAt(contract, at)
  const accepted = Object.keys(seenAt(shown, at, 'accepted'))
  const refused = Object.keys(seenAt(shown, at, 'refused')).filter(
    (value) => !accepted.includes(value),
  )
  const others = accepted.filter((value) => !declared.includes(value))
  const added = others.filter((value) => isShown(context, value))
  const values = [...declared.filter((value) => !refused.includes(value)), ...added]
  const hasChanged = refused.length > 0 || added.length > 0
  if (!hasChanged || values.length === 0) return []

  return [
    {
      says: `Requests may have ${values.join(', ')}.`,
      explains: ({ rule, message }) =>
        OF_REQUESTS.has(rule) &&
        others.length === added.length &&
        declared.some((value) => wholeWord(value).test(message)),
      apply() {
        setEnum(context, at, values, {})
        removeSubscribers(context, declared, refused)
        const shownInstead = added[0] ?? values[0]
        changeExamples(context, at, (value) =>
          refused.includes(String(value)) ? shownInstead : undefined,
        )
      },
    },
  ]
}

/** Events go to no type of webhook that the service refuses. */
function removeSubscribers(
  { files }: Context,
  declared: readonly string[],
  refused: readonly string[],
): void {
  for (const file of files.folder('behaviour')) {
    const events: Place = { file, path: ['events'] }
    for (const name of files.keys(events)) {
      const place = placeBelow(events, name, 'subscribers')
      const types = [files.value(place) ?? []].flat().map(String)
      const left = types.filter((type) => !refused.includes(type))
      const areOfEnum = types.every((type) => declared.includes(type))
      if (areOfEnum && left.length < types.length && left.length > 0) files.set(place, left)
    }
  }
}

/** Whether a response or an event showed a value where the question is about values. */
function isShown({ shown }: Context, value: string): boolean {
  return placesOf(shown, 'value').some((at) => value in seenAt(shown, at, 'value'))
}

/** The rules that say which requests a service accepts. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['requests-accepted', 'refusals-invalid'])

/** What evidence writes for an empty string. */
const EMPTY = 'empty'

/** A value of an enum; anything else that was seen is the form of a string. */
const WORD = /^[A-Za-z][\w.:-]*$/

/**
 * The new name of each value: what was seen in its place where it was expected, or what differs
 * from it only in case, hyphens and underscores.
 */
function renamesOf(
  { shown }: Context,
  unseen: readonly string[],
  added: readonly string[],
): Readonly<Record<string, string>> {
  const renamed: Record<string, string> = {}
  for (const value of unseen) {
    const alike = added.filter((word) => folded(word) === folded(value))
    const inPlace = Object.keys(inPlaceOf(shown.sightings, value))
    const [name, ...others] = inPlace.length > 0 ? inPlace : alike
    if (name !== undefined && others.length === 0 && added.includes(name)) renamed[value] = name
  }
  return renamed
}

/** What was seen where one value was expected. */
function inPlaceOf(
  sightings: Context['shown']['sightings'],
  value: string,
): Readonly<Record<string, number>> {
  const ofValue = sightings.filter(({ at, of }) => of === 'name' && at.endsWith(`/${value}`))
  return Object.assign({}, ...ofValue.map(({ seen }) => seen))
}

function folded(value: string): string {
  return value.toLowerCase().replaceAll(/[-_]/g, '')
}

/** The enums that have the same values by declaration: those of one set of states. */
function sameValues(contract: Node, at: string): string[] {
  const from = nodeAt(contract, at)[ENUM_FROM]
  if (from === undefined) return [at]
  return enumsFrom(contract, '', String(from))
}

function enumsFrom(value: unknown, at: string, from: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => enumsFrom(item, `${at}/${i}`, from))
  if (!isNode(value)) return []
  const own = value[ENUM_FROM] === from ? [at] : []
  const below = Object.entries(value).flatMap(([name, child]) =>
    enumsFrom(child, pointerOf(at, name), from),
  )
  return [...own, ...below]
}

function setEnum(
  context: Context,
  at: string,
  values: readonly string[],
  renamed: Readonly<Record<string, string>>,
): void {
  const { files } = context
  const node = requireSource(context, at)
  files.set(placeBelow(node, 'enum'), values)

  const meanings = placeBelow(node, ENUM_DESCRIPTIONS)
  const described = files.keys(meanings)
  if (described.length === 0) return
  // Another enum may have the same descriptions, but not the same values.
  files.unshare(meanings)
  for (const [value, name] of Object.entries(renamed))
    if (described.includes(value)) files.rename(placeBelow(meanings, value), name)
  for (const value of described)
    if (renamed[value] === undefined && !values.includes(value))
      files.remove(placeBelow(meanings, value))
  for (const value of values)
    if (!files.keys(meanings).includes(value))
      files.add(meanings, value, 'Seen on the service. What it means is not known.')
}
