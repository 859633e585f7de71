import { stepsOf, valueAt } from '@partner-payments/contract'
import { ENUM_FROM, isNode } from '../../lint/marks.ts'
import type { Place, YamlFiles } from '../yaml-files.ts'
import { below, type Context, nodeAt, wholeWord } from './change.ts'

interface Renaming {
  /** The enum in the contract. */
  readonly at: string
  readonly renamed: Readonly<Record<string, string>>
  readonly added: readonly string[]
}

/** Renames values in what spec/behaviour declares of them. */
export function renameState(context: Context, { at, renamed, added }: Renaming): void {
  const { files, contract, behaviour, question } = context
  const from = nodeAt(contract, at)[ENUM_FROM]
  const resource = typeof from === 'string' ? stepsOf(from)[1] : undefined

  for (const file of files.folder('behaviour')) {
    if (file.endsWith('/schema.yaml')) continue
    const ofEntry = files.scalars(file).filter(({ place }) => isOf(place))
    const says = ofEntry.filter(({ place }) => place.path.at(-1) === 'says')
    for (const { place } of says) renameWords(files, place, renamed)

    // The deepest first, since a renamed key changes the places below it.
    for (const { place, value, isKey } of ofEntry.toReversed()) {
      const name = renamed[String(value)]
      if (name === undefined) continue
      if (isKey) files.rename(place, name)
      else files.set(place, name)
    }
  }
  if (resource !== undefined) addStates(context, resource, added)

  /** Whether a scalar stands in an entry about these values. */
  function isOf({ path }: Place): boolean {
    const [section, name = '', ...rest] = path
    if (section === 'resources' && sharesStates(name)) return true
    const entry = valueAt(behaviour, `/${section}/${name}`)
    const isOfQuestion = isNode(entry) && entry.question === question
    // A transition may wait for a state of the record that its cause creates.
    return isOfQuestion || (resource === 'transfer' && rest.at(-1) === 'after')
  }

  /** Resources may share their states by an alias. */
  function sharesStates(name: string): boolean {
    if (resource === undefined) return false
    const states = JSON.stringify(valueAt(behaviour, `/resources/${resource}/states`))
    return JSON.stringify(valueAt(behaviour, `/resources/${name}/states`)) === states
  }
}

/** Renames values in a sentence. A value in small letters may be an ordinary word of it. */
function renameWords(
  files: YamlFiles,
  sentence: Place,
  renamed: Readonly<Record<string, string>>,
): void {
  for (const [value, name] of Object.entries(renamed)) {
    const isWordOfSentence = value === value.toLowerCase()
    if (!isWordOfSentence) files.replaceWords(sentence, wholeWord(value), name)
  }
}

/** A state that was seen, and of which nothing else is known. */
function addStates({ files, question }: Context, resource: string, added: readonly string[]): void {
  for (const file of files.folder('behaviour')) {
    const states: Place = { file, path: ['resources', resource, 'states'] }
    if (!files.has(states)) continue
    for (const state of added)
      files.add(below(states), state, {
        meaning: 'Seen on the service. What it means is not known.',
        question,
      })
  }
}
