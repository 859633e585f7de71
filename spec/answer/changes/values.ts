import { fieldsOf, pointerOf, valueAt } from '@partner-payments/contract'
import { ENUM_DESCRIPTIONS, ENUM_FROM, isNode, type Node } from '../../lint/marks.ts'
import { countSightings, type FormWord, listPlaces } from '../evidence.ts'
import type { Place, YamlFiles } from '../yaml-files.ts'
import {
  type Change,
  type Context,
  canBeOrdinaryWord,
  changeExamples,
  describeCounts,
  hasAnyWord,
  isAbout,
  nodeAt,
  placeBelow,
  requirePlace,
  resourceOfStates,
  valuesAt,
  wholeValue,
  wholeWord,
} from './change.ts'
import { EMPTY_FORM } from './form-syntax.ts'
import { renameStates } from './states.ts'

/**
 * The changes of enums: responses showed other values than the contract has, or requests with a
 * value were accepted or refused against it. Evidence counts the words of responses under `value`, and
 * those that were sent under `accepted` or `refused`, each by the pointer of the enum.
 */
export function valueChanges(context: Context): Change[] {
  const { observed } = context
  const placesOfValues = listPlaces(observed, 'value')
  // A value of spec/behaviour is no enum; declared.ts changes it.
  const enumsInResponses = placesOfValues.filter((at) => !at.startsWith('behaviour#'))
  const placesOfSentValues = [
    ...listPlaces(observed, 'accepted'),
    ...listPlaces(observed, 'refused'),
  ]
  const enumsInRequests = [...new Set(placesOfSentValues)]
  return [
    ...enumsInResponses.flatMap((at) => responseChange(context, at)),
    ...enumsInRequests.flatMap((at) => requestChange(context, at)),
  ]
}

/**
 * The change of an enum to the values that responses showed. A value that was seen in the place of
 * a declared one becomes its new name (`EM_ABERTO` for `ATIVA`); any other one is added. No change (an
 * empty list) if only declared values were seen.
 *
 * @param at The pointer of the enum.
 */
function responseChange(context: Context, at: string): Change[] {
  if (valuesAt(context.contract, at).length === 0) return []

  const difference = compareResponseValues(context, at)
  const { counts, renamed, others, newErrorCodes, unseen } = difference
  const hasDifference =
    Object.keys(renamed).length > 0 || others.length > 0 || newErrorCodes.length > 0
  if (!hasDifference) return []

  const valuesInFindings = listValuesInFindings(difference)
  return [
    {
      says: `The values seen are ${describeCounts(counts)}.`,
      renamed,
      missing: [
        ...unseen.map((value) => `a response with ${value}, or with what stands for it`),
        ...newErrorCodes.map(
          (code) =>
            `an example of a response with the code ${code}, and its entry in "refusals" of spec/behaviour`,
        ),
      ],
      explains: (finding) => {
        // A new error code stays undeclared.
        if (hasAnyWord(finding.message, newErrorCodes)) return false
        return isAbout(finding, `${at}/enum`) || hasAnyWord(finding.message, valuesInFindings)
      },
      apply: () => changeValues(context, at, difference),
    },
  ]
}

/**
 * The values that a finding names if it is about the difference: those that are not declared, and
 * declared ones that the checker expected in vain.
 */
function listValuesInFindings({ wordsOfForm, renamed, others }: Difference): string[] {
  const newNames = Object.values(renamed)
  // Where the checker had learned the word of the service (`form`), it read that as the declared value.
  // So a finding that names the declared one is about something else.
  const expectedValues = Object.keys(renamed).filter((value) => wordsOfForm[value] === undefined)
  return [...others, ...newNames, ...expectedValues]
}

/**
 * How the words that responses showed differ from the values of an enum. If `ATIVA` and `CONCLUIDA`
 * are declared, and responses showed `EM_ABERTO` (in the place of `ATIVA`) and `VENCIDA`, the first is
 * a new name (`renamed`), `VENCIDA` an additional value (`others`), and `CONCLUIDA` is `unseen`.
 */
function compareResponseValues(context: Context, at: string): Difference {
  const { observed, contract } = context
  const declared = valuesAt(contract, at)
  const wordsOfForm = findWordsOfForm(context, declared)
  const counts = countInWordsOfService(countSightings(observed, at, 'value'), wordsOfForm)

  const seen = readValues(Object.keys(counts), declared)
  const undeclared = listUndeclared(context, at, seen)
  const absent = declared.filter((value) => !seen.includes(value))

  const renamed = { ...findNewNames(context, absent, undeclared), ...wordsOfForm }
  const newNames = Object.values(renamed)
  const others = undeclared.filter((value) => !newNames.includes(value))
  const areErrorCodes = nodeAt(contract, at)[ENUM_FROM] === '/refusals'
  return {
    declared,
    wordsOfForm,
    counts,
    renamed,
    others: areErrorCodes ? [] : others,
    newErrorCodes: areErrorCodes ? others : [],
    unseen: absent.filter((value) => renamed[value] === undefined),
  }
}

/**
 * The word of the service for each declared value that it calls otherwise: `{ ATIVA: 'EM_ABERTO' }`.
 * The `form` of the evidence lists the words that the checker learned or was given, such as
 * `immediateQrCode/status/ATIVA` with the value `EM_ABERTO`.
 */
function findWordsOfForm(
  { form, question }: Context,
  declared: readonly string[],
): Readonly<Record<string, string>> {
  const formOfQuestion = form.filter((formWord) => formWord.question === question)
  const words: Record<string, string> = {}
  for (const declaredValue of declared) {
    const [word, ...others] = listFormWords(formOfQuestion, declaredValue)
    if (word === undefined) continue

    // Two kinds of records have different words for it.
    if (others.length > 0) continue

    // The word is another value of the enum, so it is no new name.
    if (declared.includes(word)) continue
    words[declaredValue] = word
  }
  return words
}

/** The different words that the form of the evidence lists for a value. */
function listFormWords(form: readonly FormWord[], value: string): string[] {
  const words = form.filter(({ name }) => name.split('/')[2] === value)
  return [...new Set(words.map((word) => word.value))]
}

/**
 * The counts of values by the words that the service used: `{ ATIVA: 3 }` becomes `{ EM_ABERTO: 3 }`
 * if `words` has `{ ATIVA: 'EM_ABERTO' }`. The checker knew these words, and counted each as the value
 * for which it stands.
 */
function countInWordsOfService(
  counts: Readonly<Record<string, number>>,
  words: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
  const countsByWord: Record<string, number> = {}
  for (const [value, count] of Object.entries(counts)) {
    const word = words[value] ?? value
    countsByWord[word] = (countsByWord[word] ?? 0) + count
  }
  return countsByWord
}

/** A value of an enum; anything else that was seen is the form of a string. */
const ENUM_VALUE = /^[A-Za-z][\w.:-]*$/

/** The values of an enum among the words of evidence, which writes `empty` for an empty string. */
function readValues(words: readonly string[], declared: readonly string[]): string[] {
  const values = words.map((word) => (word === EMPTY_FORM && declared.includes('') ? '' : word))
  return values.filter((value) => value === '' || (ENUM_VALUE.test(value) && value !== 'null'))
}

/**
 * The seen values that an enum does not have. Leaves out hidden states: one in a response is a
 * difference of its own, so it joins no enum.
 */
function listUndeclared(context: Context, at: string, seen: readonly string[]): string[] {
  const declared = valuesAt(context.contract, at)
  const undeclared = seen.filter((value) => !declared.includes(value))
  return undeclared.filter((value) => !isHiddenState(context, at, value))
}

/** Whether a value is a hidden state, such as `deleted`: no response should show it. */
function isHiddenState({ contract, behaviour }: Context, at: string, value: string): boolean {
  const resource = resourceOfStates(contract, at)
  if (resource === undefined) return false
  const state = valueAt(behaviour, `/resources/${resource}/states/${value}`)
  return fieldsOf(state).hidden === true
}

/** How the values that were seen differ from those of an enum. */
interface Difference {
  readonly declared: readonly string[]
  /** The words that the form of the evidence lists, by the declared values. */
  readonly wordsOfForm: Readonly<Record<string, string>>
  /** How often each word was seen. */
  readonly counts: Readonly<Record<string, number>>
  /** The new names of declared values. */
  readonly renamed: Readonly<Record<string, string>>
  /** The other values that were seen, and are not declared. They join the enum. */
  readonly others: readonly string[]
  /** Those that are error codes. They cannot join: a declared code needs an example of its response. */
  readonly newErrorCodes: readonly string[]
  /** Declared values that were seen neither as they are nor under a new name. */
  readonly unseen: readonly string[]
}

/**
 * Gives an enum its new values, and all other enums of the same states with it. Their examples and the
 * states of spec/behaviour get the new names too.
 */
function changeValues(context: Context, at: string, difference: Difference): void {
  const { contract } = context
  const { declared, renamed, others } = difference
  const values = [...declared.map((value) => renamed[value] ?? value), ...others]
  const hasStates = nodeAt(contract, at)[ENUM_FROM] !== undefined

  for (const enumAt of enumsOfSameStates(contract, at)) {
    setEnum(context, enumAt, values, renamed)
    changeExamples(context, enumAt, (value) => renamed[String(value)])
  }
  renameStates(context, { at, renamed, added: others })
  if (hasStates) renameOutsideBehaviour(context, renamed)
}

/**
 * Gives values their new names outside spec/behaviour: in descriptions, and in the values and
 * conditions of workflows.
 */
function renameOutsideBehaviour({ files }: Context, renamed: Difference['renamed']): void {
  const filesWithDescriptions = [...files.folder('paths'), ...files.folder('schemas')]
  for (const [value, name] of Object.entries(renamed)) {
    for (const file of files.folder('workflows'))
      renameInFile(files, file, { words: wholeValue(value), name })

    // An ordinary word of a description, such as `active`, may mean something else.
    if (canBeOrdinaryWord(value)) continue
    for (const file of filesWithDescriptions)
      renameInFile(files, file, { words: wholeWord(value), name })
  }
}

interface Replacement {
  readonly words: RegExp
  readonly name: string
}

/**
 * Replaces words in the sentences of a file by a new name. In a workflow, a value that is only the
 * word is replaced too. Keys stay.
 */
function renameInFile(files: YamlFiles, file: string, { words, name }: Replacement): void {
  const isWorkflow = file.startsWith('workflows/')
  for (const { place, value, isKey } of files.scalars(file)) {
    if (isKey || typeof value !== 'string') continue
    const hasWords = value.search(words) !== -1
    if (!hasWords) continue

    const isSentence = value.includes(' ')
    if (isSentence) files.replaceWords(place, words, name)
    // Set as a whole, since the file may have quotes around it.
    else if (isWorkflow) files.set(place, name)
  }
}

/**
 * The change of an enum to the values that requests may have. An accepted value joins it if responses
 * show it too; if none does, the service may accept any text there. A refused value stays: the
 * service may take another word for it, and without it the enum would say that there is none.
 *
 * @param at The pointer of the enum.
 */
function requestChange(context: Context, at: string): Change[] {
  const difference = compareRequestValues(context, at)
  const { declared, refused, acceptsUnshown } = difference
  const hasDifference = refused.length > 0 || hasNewValues(difference)
  if (!hasDifference) return []

  const place = `spec/${context.files.line(requirePlace(context, at))}`
  return [
    {
      says: describeRequestValues(difference),
      missing: refused.map(
        (value) => `a word that requests may have instead of ${value} (${place})`,
      ),
      // The enum does not get a value that no response shows, so it would not explain such a finding.
      explains: ({ rule, message }) =>
        RULES_OF_REQUESTS.has(rule) && !acceptsUnshown && hasAnyWord(message, declared),
      apply: () => changeRequestValues(context, at, difference),
    },
  ]
}

/** How the values that the service accepted and refused differ from those of an enum. */
interface RequestDifference {
  readonly declared: readonly string[]
  /** The new names of declared values. */
  readonly renamed: Readonly<Record<string, string>>
  /** The accepted values that join the enum: responses show them too, and they are no new names. */
  readonly added: readonly string[]
  /** The declared values that the service always refused, and of which no other name is known. */
  readonly refused: readonly string[]
  /** Whether the service accepted a value that is neither declared nor in any response. */
  readonly acceptsUnshown: boolean
}

/** How the values with which requests were accepted or refused differ from those of an enum. */
function compareRequestValues(context: Context, at: string): RequestDifference {
  const declared = valuesAt(context.contract, at)
  const accepted = Object.keys(countSightings(context.observed, at, 'accepted'))
  const renamed = findNewNamesOfRequests(context, at, accepted)
  const newNames = Object.values(renamed)

  const undeclared = accepted.filter((value) => !declared.includes(value))
  const shown = undeclared.filter((value) => isInResponses(context, value))
  return {
    declared,
    renamed,
    added: shown.filter((value) => !newNames.includes(value)),
    refused: listRefused(context, at, { accepted, renamed }),
    acceptsUnshown: shown.length < undeclared.length,
  }
}

/** The values of an enum that the service refused, and that it takes under no other name. */
function listRefused(
  { observed, contract }: Context,
  at: string,
  { accepted, renamed }: AcceptedValues,
): string[] {
  const declared = valuesAt(contract, at)
  const refused: string[] = []
  for (const value of Object.keys(countSightings(observed, at, 'refused'))) {
    // A service may refuse what the contract does not declare.
    if (!declared.includes(value)) continue

    // Another request with it was accepted, so this one was refused for another reason.
    if (accepted.includes(value)) continue

    // The service has another name for it.
    if (renamed[value] !== undefined) continue
    refused.push(value)
  }
  return refused
}

/** The values that requests may have at a service. */
interface AcceptedValues {
  readonly accepted: readonly string[]
  /** The new names of declared values. */
  readonly renamed: Readonly<Record<string, string>>
}

/**
 * The new name of each renamed value of an enum of requests, by the old one: one that responses
 * show, and that the service takes in requests too.
 */
function findNewNamesOfRequests(
  context: Context,
  at: string,
  accepted: readonly string[],
): Readonly<Record<string, string>> {
  const { observed, contract } = context
  const declared = valuesAt(contract, at)
  const areStates = nodeAt(contract, at)[ENUM_FROM] !== undefined
  const newNames: Record<string, string> = {}
  for (const enumAt of listPlaces(observed, 'value')) {
    const { renamed } = compareResponseValues(context, enumAt)
    for (const [value, name] of Object.entries(renamed)) {
      if (!declared.includes(value)) continue

      // States have one name in requests and responses. Of other values, the service may take other
      // words than it shows, so it must have accepted the name.
      const isTaken = areStates || accepted.includes(name)
      if (isTaken) newNames[value] = name
    }
  }
  return newNames
}

/** The values that an enum of requests gets: the declared ones by their new names, and added ones. */
function listNewValues({ declared, renamed, added }: RequestDifference): string[] {
  return [...declared.map((value) => renamed[value] ?? value), ...added]
}

/** Whether the enum gets other values than it has. */
function hasNewValues(difference: RequestDifference): boolean {
  return String(listNewValues(difference)) !== String(difference.declared)
}

/** What was seen of an enum of requests, in a sentence or two. */
function describeRequestValues(difference: RequestDifference): string {
  const { refused } = difference
  const values = listNewValues(difference).join(', ')
  const sentences: string[] = []
  if (hasNewValues(difference)) sentences.push(`Requests may have ${values}.`)
  if (refused.length > 0) sentences.push(`Requests with ${refused.join(', ')} are refused.`)
  return sentences.join(' ')
}

/**
 * Sets the values of an enum of requests, and shows an accepted one where an example has a refused
 * one. The assumption of the question gets a sentence about the refused ones.
 */
function changeRequestValues(context: Context, at: string, difference: RequestDifference): void {
  const { files, question } = context
  const { refused, renamed } = difference
  if (hasNewValues(difference)) setEnum(context, at, listNewValues(difference), renamed)

  const acceptedValue = chooseAcceptedValue(difference)
  changeExamples(context, at, (value) =>
    refused.includes(String(value)) ? acceptedValue : renamed[String(value)],
  )
  if (refused.length === 0) return

  const assumption: Place = { file: 'open-questions.yaml', path: [question, 'assumption'] }
  const text = String(files.value(assumption))
  const sentence = `Seen on a service: requests with ${refused.join(', ')} are refused.`
  if (!text.includes(sentence)) files.set(assumption, `${text} ${sentence}`)
}

/** What examples show instead of a refused value; undefined if every value is refused. */
function chooseAcceptedValue({ declared, added, refused }: RequestDifference): string | undefined {
  return added[0] ?? declared.find((value) => !refused.includes(value))
}

/** Whether a response or an event showed a value where the question is about values. */
function isInResponses({ observed }: Context, value: string): boolean {
  return listPlaces(observed, 'value').some((at) => value in countSightings(observed, at, 'value'))
}

/** The rules that say which requests a service accepts. */
const RULES_OF_REQUESTS: ReadonlySet<string> = new Set(['requests-accepted', 'refusals-invalid'])

/**
 * The new name of each declared value that was not seen, by the old one: `{ ATIVA: 'EM_ABERTO' }`.
 * Leaves out a value with no candidate for its new name, or with several (`listCandidates`).
 *
 * @param unseen Declared values that were not seen.
 * @param added Values that were seen, and are not declared.
 */
function findNewNames(
  context: Context,
  unseen: readonly string[],
  added: readonly string[],
): Readonly<Record<string, string>> {
  const renamed: Record<string, string> = {}
  for (const value of unseen) {
    const [name, ...others] = listCandidates(context, value, added)
    const isOnly = name !== undefined && others.length === 0
    if (isOnly && added.includes(name)) renamed[value] = name
  }
  return renamed
}

/**
 * The words that may be the new name of a value. There are three reasons to take a word for it, and a
 * weaker one counts only where no stronger one gives a word.
 *
 * @param added Values that were seen, and are not declared.
 */
function listCandidates(
  { observed, form }: Context,
  value: string,
  added: readonly string[],
): readonly string[] {
  // It was seen where the value was expected.
  const wordsInItsPlace = listWordsInPlace(observed, value)
  if (wordsInItsPlace.length > 0) return wordsInItsPlace

  // The checker knew it as the word for this value, maybe by another question: the status of a code
  // and that of its check have the same values.
  const knownWords = listFormWords(form, value).filter((word) => added.includes(word))
  if (knownWords.length > 0) return knownWords

  // Only its notation differs, as in `IN-PROCESS` for `in_process`.
  return added.filter((word) => withoutNotation(word) === withoutNotation(value))
}

/** The words that were seen where one value was expected. */
function listWordsInPlace({ sightings }: Context['observed'], value: string): string[] {
  const ofValue = sightings.filter(({ at, of }) => of === 'name' && at.endsWith(`/${value}`))
  return [...new Set(ofValue.flatMap(({ seen }) => Object.keys(seen)))]
}

/** The letters and digits of a value in lower case, without hyphens and underscores. */
function withoutNotation(value: string): string {
  return value.toLowerCase().replaceAll(/[-_]/g, '')
}

/** The pointers of all enums that take their values from the same states; or of the enum alone. */
function enumsOfSameStates(contract: Node, at: string): string[] {
  const statesPointer = nodeAt(contract, at)[ENUM_FROM]
  if (statesPointer === undefined) return [at]
  return findEnums(contract, '', String(statesPointer))
}

/**
 * The pointers of the enums at or below a node that take their values from the states at
 * `statesPointer` (by `x-enum-from`). `at` is the pointer of the node.
 */
function findEnums(value: unknown, at: string, statesPointer: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findEnums(item, `${at}/${index}`, statesPointer))
  if (!isNode(value)) return []

  const isEnum = value[ENUM_FROM] === statesPointer
  const below = Object.entries(value).flatMap(([name, child]) =>
    findEnums(child, pointerOf(at, name), statesPointer),
  )
  return isEnum ? [at, ...below] : below
}

/**
 * Sets the values of an enum, and gives each value a description: a renamed value keeps its own, a
 * removed one loses it, and a new one gets a placeholder.
 *
 * @param at The pointer of the enum.
 */
function setEnum(
  context: Context,
  at: string,
  values: readonly string[],
  renamed: Readonly<Record<string, string>>,
): void {
  const { files } = context
  const node = requirePlace(context, at)
  files.set(placeBelow(node, 'enum'), values)

  const descriptions = placeBelow(node, ENUM_DESCRIPTIONS)
  const describedValues = files.keys(descriptions)
  if (describedValues.length === 0) return

  // Another enum may have the same descriptions, but not the same values.
  files.unshare(descriptions)

  for (const value of describedValues) {
    const description = placeBelow(descriptions, value)
    const newName = renamed[value]
    if (newName !== undefined) files.rename(description, newName)
    else if (!values.includes(value)) files.remove(description)
  }

  for (const value of values)
    if (!files.keys(descriptions).includes(value))
      files.add(descriptions, value, 'Seen on the service. What it means is not known.')
}
