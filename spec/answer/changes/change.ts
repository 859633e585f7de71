import { fieldsOf, stepsOf, valueAt } from '@partner-payments/contract'
import { ASSUMED, ENUM_FROM, isNode, MARK, type Node } from '../../lint/marks.ts'
import { pointerOfReference } from '../../lint/operations.ts'
import type { Finding, FormWord, QuestionEvidence } from '../evidence.ts'
import type { ExamplePlaces } from '../example-places.ts'
import type { Place, YamlFiles } from '../yaml-files.ts'

/** What changes are made from. */
export interface Context {
  readonly question: string
  readonly observed: QuestionEvidence
  /** The words of the service that the checker knew, of all questions. */
  readonly form: readonly FormWord[]
  readonly files: YamlFiles
  /** The bundled contract, as it is before the changes of this question. */
  readonly contract: Node
  /** The bundled contract of the short paths. */
  readonly guide: Node
  /** The pointers of what the two contracts state as facts, as `listFactPointers` lists them. */
  readonly facts: ReadonlySet<string>
  readonly behaviour: Node
  readonly examples: ExamplePlaces
}

/** A change of the contract that follows from what was seen. */
export interface Change {
  /** One sentence: what the service shows. It becomes the answer of the question. */
  readonly says: string
  /** Values with their new names, which sentences of the question follow. */
  readonly renamed?: Readonly<Record<string, string>>
  /** The node whose sentence about the question is replaced by `says`. */
  readonly sentenceAt?: Place
  /** What is still not known, and would have to be observed. */
  readonly missing?: readonly string[]
  /** Whether this difference is what a finding is about. */
  explains(finding: Finding): boolean
  apply(): void
}

/**
 * A change that is left out because it would edit a fact: it edits nothing, and asks for a schema of its
 * own. An event, which is an assumption, can share a schema with a response, where it is a fact.
 *
 * @param at The pointer of the schema that the change is about.
 */
export function leaveOut(context: Context, at: string, { says, explains }: Change): Change {
  const shown = says.replace(/\.$/, '')
  const line = context.files.line(requirePlace(context, at))
  return {
    says,
    explains,
    missing: [
      `a schema of its own for where ${shown}, since facts.yaml states otherwise (spec/${line})`,
    ],
    apply: () => {},
  }
}

/** Whether a finding is about a keyword at or below a place of the contract. */
export function isAbout(finding: Finding, at: string): boolean {
  return finding.keyword === at || finding.keyword?.startsWith(`${at}/`) === true
}

/** A list of words with how often each was seen. */
export function describeCounts(seen: Readonly<Record<string, number>>): string {
  return Object.entries(seen)
    .map(([word, count]) => `${word} (${count} times)`)
    .join(', ')
}

/** A name or a value in a sentence, but not within a longer one such as `a.name` or `name-2`. */
export function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\w.-])${word.replaceAll('.', '\\.')}(?![\\w-])`, 'g')
}

/** Whether a text has one of these names or values, as {@link wholeWord} finds them. */
export function hasAnyWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => wholeWord(word).test(text))
}

/** A value that stands alone, or in quotes as in the condition `$response.body#/status == 'ATIVA'`. */
export function wholeValue(value: string): RegExp {
  return new RegExp(`(?<=^|')${value}(?=$|')`, 'g')
}

/** Whether a name, such as `active`, may be an ordinary word of a sentence: `ATIVA` may not. */
export function canBeOrdinaryWord(name: string): boolean {
  return name === name.toLowerCase() && !name.includes('.')
}

/** The node at a pointer; empty if there is none. */
export function nodeAt(contract: Node, pointer: string): Node {
  return fieldsOf(valueAt(contract, pointer))
}

/** The values of an enum; none if there is no enum. */
export function valuesAt(contract: Node, at: string): string[] {
  const values = nodeAt(contract, at).enum
  return Array.isArray(values) ? values.map(String) : []
}

/**
 * The resource whose states are the values of an enum, by its `x-enum-from`: `transfer` for
 * `/resources/transfer/states`. Undefined if the values are no states.
 */
export function resourceOfStates(contract: Node, enumAt: string): string | undefined {
  // Such as `/resources/transfer/states`.
  const statesPointer = nodeAt(contract, enumAt)[ENUM_FROM]
  if (typeof statesPointer !== 'string') return undefined
  const [, resource] = stepsOf(statesPointer)
  return resource
}

/** The pointers of all references (`$ref`) at and below a value. */
export function findReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(findReferences)
  if (!isNode(value)) return []
  const below = Object.values(value).flatMap(findReferences)
  return typeof value.$ref === 'string' ? [pointerOfReference(value.$ref), ...below] : below
}

/** The places of the files that refer to a component, as in `../responses.yaml#/NotFound`. */
export function listReferrers({ files }: Context, component: string): Place[] {
  const name = component.slice(component.lastIndexOf('/') + 1)
  const scalars = files.contract().flatMap((file) => files.scalars(file))
  const references = scalars.filter(({ value }) => String(value).endsWith(`#/${name}`))
  return references.map(({ place }) => place)
}

/** The place of a node in its file. Throws if no file has it. */
export function requirePlace({ files }: Context, pointer: string): Place {
  const place = files.findPlace(pointer)
  if (!place || !files.has(place)) throw new Error(`no file has ${pointer}`)
  return place
}

export function placeBelow(place: Place, ...steps: readonly string[]): Place {
  return { file: place.file, path: [...place.path, ...steps] }
}

/**
 * The places of all sentences about the question in the files of the contract: the values below
 * `x-assumed` whose key is the id of the question.
 */
export function sentencesAbout({ files, question }: Context): Place[] {
  const names = [
    'parameters.yaml',
    'responses.yaml',
    ...files.folder('paths'),
    ...files.folder('schemas'),
  ]
  const places: Place[] = []
  for (const { place, isKey } of names.flatMap((file) => files.scalars(file))) {
    // In `x-assumed: { paging: The first page comes first. }`, the key `paging` and the sentence have
    // the same place.
    const [keyword, id] = place.path.slice(-2)
    const isOfQuestion = keyword === ASSUMED && id === question
    if (isOfQuestion && !isKey) places.push(place)
  }
  return places
}

/** The example values of a schema, by their pointers. */
export function examplesOf({ examples }: Context, schemaAt: string): ReadonlyMap<string, unknown> {
  return examples.get(schemaAt) ?? new Map()
}

/**
 * Rewrites each example value of a schema. Examples can share one value by an alias of YAML
 * (`*name`): such a value is edited once, for all of them.
 *
 * @param rewrite Gives the new value of an old one; undefined if the old one stays.
 */
export function changeExamples(
  context: Context,
  schemaAt: string,
  rewrite: (value: unknown) => unknown,
): void {
  const { files } = context
  const edits = listExampleEdits(context, schemaAt, rewrite)
  // First the values that are written out. An alias of such a value changes with it.
  for (const { place, value } of edits) {
    const isAlias = files.isShared(place)
    if (!isAlias && files.value(place) !== value) files.set(place, value)
  }
  // Then the aliases whose value is still the old one, such as that of a value which is no example of
  // this schema. They get a value of their own.
  for (const { place, value } of edits) {
    const hasOldValue = files.value(place) !== value
    if (hasOldValue) files.setHere(place, value)
  }
}

/** An example value that is rewritten. */
interface ExampleEdit {
  readonly place: Place
  readonly value: unknown
}

/** The example values of a schema that get another value, with the new one. */
function listExampleEdits(
  context: Context,
  schemaAt: string,
  rewrite: (value: unknown) => unknown,
): ExampleEdit[] {
  const { files } = context
  const edits: ExampleEdit[] = []
  for (const [pointer, oldValue] of examplesOf(context, schemaAt)) {
    const place = files.findPlace(pointer)
    const value = rewrite(oldValue)
    const isInFile = place !== undefined && files.has(place)
    if (isInFile && value !== undefined) edits.push({ place, value })
  }
  return edits
}

/**
 * Moves the mark of a keyword (`x-open-question: { pattern: id }`) to another keyword of the same
 * node. Does nothing if the mark is of another question or of the whole node.
 */
export function moveMark(
  { files, question }: Context,
  node: Place,
  from: string,
  to: string,
): void {
  const marks = placeBelow(node, MARK)
  const marksWholeNode = typeof files.value(marks) === 'string'
  if (marksWholeNode) return

  const isMarked = files.value(placeBelow(marks, from)) === question
  if (!isMarked) return

  const isTargetMarked = files.has(placeBelow(marks, to))
  if (isTargetMarked) files.remove(placeBelow(marks, from))
  else files.rename(placeBelow(marks, from), to)
}
