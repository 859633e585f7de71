import { basename } from 'node:path'
import { stepsOf, valueAt } from '@partner-payments/contract'
import { placesOf, seenAt } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import { type Change, type Context, counted, sentencesAbout, wholeWord } from './change.ts'

const BEHAVIOUR = 'behaviour#'

/** Values of spec/behaviour that one observation decides, such as the order of a list. */
export function declaredChanges(context: Context): Change[] {
  const { shown, behaviour, files } = context
  const places = placesOf(shown, 'value').filter((at) => at.startsWith(BEHAVIOUR))
  return places.flatMap((at): Change[] => {
    const pointer = at.slice(BEHAVIOUR.length)
    const seen = seenAt(shown, at, 'value')
    const [value, ...others] = Object.keys(seen)
    const declared = valueAt(behaviour, pointer)
    const isOther = value !== undefined && others.length === 0 && value !== declared
    if (!isOther || declared === undefined) return []

    const [section = '', name = '', ...field] = stepsOf(pointer)
    return [
      {
        says: `${name}: the ${field.toReversed().join(' of ')} is ${counted(seen)}.`,
        explains: ({ message, operation }) =>
          message.includes(String(declared)) && (operation === name || section !== 'lists'),
        apply() {
          const place = declarationOf(context, pointer)
          if (!place || files.value(place) === value) return
          files.set(place, value)
          changeWords(context, place, { old: String(declared), value })
        },
      },
    ]
  })
}

interface Rewording {
  readonly old: string
  readonly value: string
}

/**
 * Sentences of the entry and of its resource that say the old value say the new one, such as "the
 * newest first".
 */
function changeWords(context: Context, declaration: Place, { old, value }: Rewording): void {
  const { files } = context
  const [section = '', name = ''] = declaration.path
  const says: Place = { file: declaration.file, path: [section, name, 'says'] }
  const resource = basename(declaration.file)
  const ofResource = sentencesAbout(context).filter(({ file }) => basename(file) === resource)

  const words = wholeWord(old.replaceAll('-', ' '))
  for (const place of [says, ...ofResource])
    if (files.has(place)) files.replaceWords(place, words, value.replaceAll('-', ' '))
}

/** The place of a declaration: spec/behaviour is one object over several files. */
function declarationOf({ files }: Context, pointer: string): Place | undefined {
  const path = stepsOf(pointer)
  const places = files.folder('behaviour').map((file) => ({ file, path }))
  return places.find((place) => files.has(place))
}
