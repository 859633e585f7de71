import { basename } from 'node:path'
import { stepsOf, valueAt } from '@partner-payments/contract'
import { countSightings, listPlaces, onlyWord } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import { type Change, type Context, describeCounts, sentencesAbout, wholeWord } from './change.ts'

const BEHAVIOUR = 'behaviour#'

/** Values of spec/behaviour that one observation decides, such as the order of a list. */
export function declaredChanges(context: Context): Change[] {
  const places = listPlaces(context.observed, 'value').filter((at) => at.startsWith(BEHAVIOUR))
  return places.flatMap((at) => declaredChange(context, at))
}

/**
 * The change of one value of spec/behaviour to the only value that was seen there, such as of the
 * order of a list from `newest-first` to `oldest-first`. No change (an empty list) if several values
 * were seen, or the declared one.
 *
 * @param at Its pointer, such as `behaviour#/lists/listWebhooks/order/direction`.
 */
function declaredChange(context: Context, at: string): Change[] {
  const { observed, behaviour } = context
  const pointer = at.slice(BEHAVIOUR.length)
  const counts = countSightings(observed, at, 'value')
  const value = onlyWord(counts)
  const declared = valueAt(behaviour, pointer)
  if (value === undefined || declared === undefined || declared === value) return []

  const old = String(declared)
  const [section = '', name = '', ...field] = stepsOf(pointer)
  return [
    {
      // Such as "listWebhooks: the direction of order is oldest-first (3 times)."
      says: `${name}: the ${field.toReversed().join(' of ')} is ${describeCounts(counts)}.`,
      explains({ message, operation }) {
        // An entry of `lists` has the name of its operation.
        const isOfOtherOperation = section === 'lists' && operation !== name
        return !isOfOtherOperation && message.includes(old)
      },
      apply: () => changeDeclaration(context, pointer, { old, value }),
    },
  ]
}

/**
 * Sets a value of spec/behaviour, and corrects the sentences about it. Does nothing if no file has the
 * value, or if it was set already (an entry that shares it by an alias).
 */
function changeDeclaration(context: Context, pointer: string, rewording: Rewording): void {
  const { files } = context
  const place = findDeclaration(context, pointer)
  if (!place || files.value(place) === rewording.value) return
  files.set(place, rewording.value)
  changeWords(context, place, rewording)
}

interface Rewording {
  readonly old: string
  readonly value: string
}

/**
 * Replaces the old value by the new one in the sentences about a value of spec/behaviour: `says` of
 * its entry, and those of its resource. The value `newest-first` is written there as "the newest
 * first".
 */
function changeWords(context: Context, declaration: Place, { old, value }: Rewording): void {
  const { files } = context
  const [section = '', name = ''] = declaration.path
  const places: Place[] = []
  const says: Place = { file: declaration.file, path: [section, name, 'says'] }
  if (files.has(says)) places.push(says)

  for (const sentence of sentencesAbout(context)) {
    // The file of a resource has the same name in each folder.
    const isOfResource = basename(sentence.file) === basename(declaration.file)
    if (isOfResource) places.push(sentence)
  }

  const oldWords = wholeWord(old.replaceAll('-', ' '))
  const newWords = value.replaceAll('-', ' ')
  for (const place of places) files.replaceWords(place, oldWords, newWords)
}

/** The place of a declaration, in the file that has it: spec/behaviour is one object in many files. */
function findDeclaration({ files }: Context, pointer: string): Place | undefined {
  const path = stepsOf(pointer)
  const places = files.folder('behaviour').map((file) => ({ file, path }))
  return places.find((place) => files.has(place))
}
