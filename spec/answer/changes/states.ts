import { fieldsOf, valueAt } from '@partner-payments/contract'
import type { Node } from '../../lint/marks.ts'
import type { Place, ScalarAt, YamlFiles } from '../yaml-files.ts'
import { type Context, canBeOrdinaryWord, resourceOfStates, wholeWord } from './change.ts'

interface Renaming {
  /** The pointer of the enum in the contract. */
  readonly at: string
  /** The new name of each old one. */
  readonly renamed: Readonly<Record<string, string>>
  /** Values that were seen, and are not declared. */
  readonly added: readonly string[]
}

/**
 * Gives values of an enum their new names in all entries of spec/behaviour about them. Adds new values
 * to the states of a resource, if the enum has those by `x-enum-from`.
 */
export function renameStates(context: Context, { at, renamed, added }: Renaming): void {
  const { files, contract } = context
  const resource = resourceOfStates(contract, at)
  for (const file of files.folder('behaviour')) {
    if (file.endsWith('/schema.yaml')) continue

    const scalars = files.scalars(file)
    const aboutStates = scalars.filter(
      (scalar) =>
        isAboutStates(context, resource, scalar.place) || isWordOfCopy(context, at, scalar),
    )
    renameInSentences(files, aboutStates, renamed)
    renameNames(files, aboutStates, renamed)
  }
  if (resource !== undefined) addStates(context, resource, added)
}

/**
 * Whether a place in spec/behaviour is about the renamed values, so that they get their new names
 * there: in an entry of the question, or in one that compares or waits for these states.
 *
 * @param resource The resource that has the states, if the renamed values are states.
 */
function isAboutStates(
  { behaviour, question }: Context,
  resource: string | undefined,
  { path }: Place,
): boolean {
  if (isOfQuestion(behaviour, question, path)) return true

  if (resource === undefined) return false
  const [section, name = '', ...rest] = path
  // It stands in this resource, or in another one with the same states.
  if (section === 'resources' && sharesStates(behaviour, resource, name)) return true

  // An invariant of another question may compare the status of records.
  if (section === 'invariants' && rest.includes('/status')) return true

  // A transition of any resource may wait for a state (`after`): always one of a transfer.
  return resource === 'transfer' && rest.at(-1) === 'after'
}

/**
 * Whether a key or value in an entry of `copies` is a value of the enum. A copy says which fields a
 * response repeats, and with which values.
 *
 * @param enumAt The pointer of the enum, such as `/components/schemas/Key/properties/kind`.
 */
function isWordOfCopy({ behaviour }: Context, enumAt: string, { place, isKey }: ScalarAt): boolean {
  // Such as `copies`, `transfer-shows-kind`, `values`, `CPF`.
  const [section, name = '', part, pointer] = place.path
  const [, field] = /\/properties\/([^/]+)$/.exec(enumAt) ?? []
  if (section !== 'copies' || field === undefined) return false

  const isOfField = (shown: unknown) => String(shown).endsWith(`/${field}`)
  // In `always: { /data/kind: CPF }`, the pointer says of which field `CPF` is.
  if (part === 'always') return isOfField(pointer)

  // In `values: { CPF: TAX_ID }` with `fields: { /kind: /data/type }`, the key `CPF` is a value of
  // `/kind`, and `TAX_ID` one of `/data/type`.
  if (part !== 'values') return false
  const { fields } = fieldsOf(valueAt(behaviour, `/copies/${name}`))
  const pairs = Object.entries(fieldsOf(fields))
  return pairs.some(([from, to]) => isOfField(isKey ? from : to))
}

/** Whether `path` leads into an entry of spec/behaviour that names the question as its source. */
function isOfQuestion(behaviour: Node, question: string, path: readonly string[]): boolean {
  let entry: unknown = behaviour
  for (const step of path) {
    entry = fieldsOf(entry)[step]
    if (fieldsOf(entry).question === question) return true
  }
  return false
}

/** Whether two resources have the same states, by an alias or because they are one. */
function sharesStates(behaviour: Node, resource: string, other: string): boolean {
  const states = valueAt(behaviour, `/resources/${resource}/states`)
  const otherStates = valueAt(behaviour, `/resources/${other}/states`)
  return JSON.stringify(states) === JSON.stringify(otherStates)
}

/** Gives values their new names where a place is a sentence about an entry (`says`). */
function renameInSentences(
  files: YamlFiles,
  scalars: readonly ScalarAt[],
  renamed: Renaming['renamed'],
): void {
  for (const { place } of scalars) {
    if (place.path.at(-1) === 'says') renameInSentence(files, place, renamed)
  }
}

/**
 * Gives values their new names where they are keys or whole values of entries, but not in
 * sentences.
 */
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

/** Gives values their new names in one sentence. An old name such as `active` may be a word; it stays. */
function renameInSentence(
  files: YamlFiles,
  sentence: Place,
  renamed: Readonly<Record<string, string>>,
): void {
  for (const [oldName, name] of Object.entries(renamed)) {
    if (!canBeOrdinaryWord(oldName)) files.replaceWords(sentence, wholeWord(oldName), name)
  }
}

/**
 * Declares states of a resource that were seen, without transitions: nothing else is known of them.
 */
function addStates(
  { files, question }: Context,
  resource: string,
  newStates: readonly string[],
): void {
  for (const file of files.folder('behaviour')) {
    const states: Place = { file, path: ['resources', resource, 'states'] }
    if (!files.has(states)) continue
    for (const state of newStates)
      files.add(states, state, {
        meaning: 'Seen on the service. What it means is not known.',
        question,
      })
  }
}
