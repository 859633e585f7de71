import { stepsOf, valueAt } from '@partner-payments/contract'
import { ENUM_FROM, isNode, type Node } from '../../lint/marks.ts'
import type { Place, ScalarAt, YamlFiles } from '../yaml-files.ts'
import { type Context, nodeAt, placeBelow, wholeWord } from './change.ts'

interface Renaming {
  /** The enum in the contract. */
  readonly at: string
  readonly renamed: Readonly<Record<string, string>>
  readonly added: readonly string[]
}

/** Renames values in what spec/behaviour declares of them, and adds new ones. */
export function renameState(context: Context, { at, renamed, added }: Renaming): void {
  const { files, contract } = context
  const from = nodeAt(contract, at)[ENUM_FROM]
  const resource = typeof from === 'string' ? stepsOf(from)[1] : undefined

  for (const file of files.folder('behaviour')) {
    if (file.endsWith('/schema.yaml')) continue

    const scalars = files.scalars(file)
    const aboutState = scalars.filter(({ place }) => isAboutState(context, resource, place))
    renameInSentences(files, aboutState, renamed)
    renameNames(files, aboutState, renamed)
  }
  if (resource !== undefined) addStates(context, resource, added)
}

/** Whether a scalar stands in an entry about the values. */
function isAboutState(
  { behaviour, question }: Context,
  resource: string | undefined,
  { path }: Place,
): boolean {
  const [section, name = '', ...rest] = path
  const isOfResource = section === 'resources' && sharesStates(behaviour, resource, name)
  if (isOfResource) return true

  const entry = valueAt(behaviour, `/${section}/${name}`)
  if (isNode(entry) && entry.question === question) return true

  // A transition may wait for a state of the record that its cause creates.
  return resource === 'transfer' && rest.at(-1) === 'after'
}

/** Whether a resource has the states of another one, by an alias or as itself. */
function sharesStates(behaviour: Node, resource: string | undefined, name: string): boolean {
  if (resource === undefined) return false
  const states = valueAt(behaviour, `/resources/${resource}/states`)
  const statesOfName = valueAt(behaviour, `/resources/${name}/states`)
  return JSON.stringify(states) === JSON.stringify(statesOfName)
}

function renameInSentences(
  files: YamlFiles,
  scalars: readonly ScalarAt[],
  renamed: Renaming['renamed'],
): void {
  for (const { place } of scalars) {
    if (place.path.at(-1) === 'says') renameWords(files, place, renamed)
  }
}

function renameNames(
  files: YamlFiles,
  scalars: readonly ScalarAt[],
  renamed: Renaming['renamed'],
): void {
  // The deepest first, since a renamed key changes the places below it.
  for (const { place, value, isKey } of scalars.toReversed()) {
    const name = renamed[String(value)]
    if (name === undefined) continue

    if (isKey) files.rename(place, name)
    else files.set(place, name)
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
      files.add(placeBelow(states), state, {
        meaning: 'Seen on the service. What it means is not known.',
        question,
      })
  }
}
