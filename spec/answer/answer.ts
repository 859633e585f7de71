import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundle, loadConfig } from '@redocly/openapi-core'
import { buildBehaviour } from '../build/behaviour.ts'
import { readBehaviour } from '../lint/behaviour/read.ts'
import { cycleFaults } from '../lint/cycles.ts'
import { readYaml } from '../lint/files.ts'
import { ASSUMED, type Node } from '../lint/marks.ts'
import { parseFaults } from '../lint/parse.ts'
import { referenceFaults } from '../lint/references.ts'
import type { Register } from '../lint/register.ts'
import { listFactPointers } from '../lint/stated.ts'
import {
  type Change,
  type Context,
  canBeOrdinaryWord,
  placeBelow,
  sentencesAbout,
  valuesAt,
  wholeWord,
} from './changes/change.ts'
import { declaredChanges } from './changes/declared.ts'
import { fieldChanges, typeChanges } from './changes/fields.ts'
import { formChanges } from './changes/forms.ts'
import { messageChanges, statusChanges } from './changes/messages.ts'
import { nameChanges } from './changes/names.ts'
import { pageChanges } from './changes/pages.ts'
import { valueChanges } from './changes/values.ts'
import { createDiff } from './diff.ts'
import {
  countSightings,
  type Evidence,
  EvidenceError,
  type Finding,
  listPlaces,
  type QuestionEvidence,
} from './evidence.ts'
import { examplePlaces } from './example-places.ts'
import { type Place, YamlFiles } from './yaml-files.ts'

/** What follows from evidence for one open question. */
export interface Answer {
  readonly question: string
  readonly text: string
  readonly verdict: QuestionEvidence['verdict']
  /** Whether it is answered: its basis becomes `observed`. */
  readonly isAnswered: boolean
  /** What the service shows that the contract did not say. */
  readonly says: readonly string[]
  /** What the evidence does not decide, and would have to be observed. */
  readonly missing: readonly string[]
  /** Findings that no change explains: a person edits what they are about. */
  readonly left: readonly Finding[]
  /** Entries and sentences about the question, as `file:line`. */
  readonly places: readonly string[]
  /** The change of spec/, as a diff. */
  readonly diff: string
}

export interface AnswerOptions {
  /** The folder of the contract. It is not changed. */
  readonly spec: string
  readonly evidence: Evidence
  /** Ids of open questions. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** The answers, and a copy of the contract with all of their changes. */
export interface Answered {
  readonly answers: readonly Answer[]
  /** The files that changed, and their new texts. */
  readonly changed: ReadonlyMap<string, string>
  /** Values and events with their new names. */
  readonly renamed: Readonly<Record<string, string>>
}

/** The kinds of changes. The first names come first, since later ones use them. */
const CHANGE_FINDERS: readonly ((context: Context) => Change[])[] = [
  valueChanges,
  formChanges,
  typeChanges,
  fieldChanges,
  messageChanges,
  statusChanges,
  nameChanges,
  declaredChanges,
  pageChanges,
]

const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', 'dist', '.turbo', 'test'])
const REGISTER = 'open-questions.yaml'

/**
 * Works out which edits of the contract follow from what a service showed, one open question after
 * the other. It edits a copy of the folder `spec`, and returns the answers with their diffs, the
 * new texts of the changed files, and the values that have new names.
 *
 * @throws {Error} if the contract has no question of `only`, or cannot be read. The message then says file and line
 * @throws {EvidenceError} if the evidence is of another version of the contract, whose questions may
 *   say something else
 */
export async function answer({ spec, evidence, only }: AnswerOptions): Promise<Answered> {
  requireReadable(spec)
  requireSameVersion(spec, evidence)
  const copy = copySpec(spec)
  try {
    const register = readYaml<Register>(copy, REGISTER).value
    const questions = chooseQuestions(register, only)
    const { answers, renamed } = await answerQuestions(copy, questions, evidence)
    return { answers, changed: changedFiles(spec, copy), renamed }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * Requires that the files are YAML, and that their references lead somewhere. `answer` takes any such contract, also
 * one with other faults, which its edits may correct.
 */
function requireReadable(spec: string): void {
  const unreadable = parseFaults(spec)
  const faults =
    unreadable.length > 0 ? unreadable : [...referenceFaults(spec), ...cycleFaults(spec)]
  const [first] = faults
  if (!first) return

  const { file, line, col, message } = first
  throw new Error(`The contract cannot be read: ${file}:${line}:${col} ${message}`)
}

function requireSameVersion(spec: string, evidence: Evidence): void {
  const { version } = readYaml<{ info: { version: string } }>(spec, 'openapi.yaml').value.info
  const seen = evidence.contract.version
  if (seen === version) return
  throw new EvidenceError(
    `the evidence is of version ${seen} of the contract, and ${spec} has ${version}; check the service again`,
  )
}

/** The entries of the register with an id of `only`, or all. Throws if it has no such entry. */
function chooseQuestions(register: Register, only: readonly string[] | undefined): Register {
  if (!only) return register

  const unknown = only.find((id) => !(id in register))
  if (unknown !== undefined) throw new Error(`the contract has no open question "${unknown}"`)
  return Object.fromEntries(Object.entries(register).filter(([id]) => only.includes(id)))
}

/**
 * Answers each open question of which the evidence (what the checker saw at a service) shows
 * something, by edits of the copied contract. Each answer has the diff of its own edits, and `renamed`
 * collects the new names of values: `{ ATIVA: 'EM_ABERTO' }`.
 */
async function answerQuestions(
  copy: string,
  questions: Register,
  evidence: Evidence,
): Promise<Omit<Answered, 'changed'>> {
  const answers: Answer[] = []
  const renamed: Record<string, string> = {}
  const files = new YamlFiles(copy)
  let contracts: Contracts | undefined
  for (const [question, entry] of Object.entries(questions)) {
    const observed = evidence.questions[question]
    if (!observed) continue

    contracts ??= await readContracts(copy)
    const { form = [] } = evidence
    const context: Context = { question, observed, form, files, ...contracts }
    const before = readTexts(copy)
    const { changes, ...result } = answerQuestion(context, evidence)
    const diff = createDiff(before, readTexts(copy))

    answers.push({ ...result, text: entry.question, diff })
    Object.assign(renamed, ...changes.map((change) => change.renamed))

    // Read again only if it was edited, since that takes seconds. Only a contradiction edits the
    // contract; any other answer edits the register alone.
    const changesContract = observed.verdict === 'contradicted' && diff !== ''
    if (changesContract) contracts = undefined
  }
  return { answers, renamed }
}

/** A copy of a contract in a new folder, without its tests and without what is built. */
export function copySpec(spec: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'answer-'))
  cpSync(spec, copy, { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) })
  symlinkSync(join(spec, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/**
 * A text of the docs with the new names of values and events: with `{ ATIVA: 'EM_ABERTO' }`, it has
 * `EM_ABERTO` instead of `ATIVA`. An old name that may be an ordinary word, such as `active`, stays,
 * since the sentence may not be about the value.
 */
export function renameInText(text: string, renamed: Answered['renamed']): string {
  let result = text
  for (const [old, name] of Object.entries(renamed)) {
    if (!canBeOrdinaryWord(old)) result = result.replaceAll(wholeWord(old), name)
    // The page of an event has no dot in its name.
    const isEvent = old.includes('.')
    if (isEvent) result = result.replaceAll(eventPage(old), eventPage(name))
  }
  return result
}

/** The page of an event as the build of the docs names it, such as `events/transfer-settled`. */
function eventPage(name: string): string {
  return `events/${name.replace('.', '-')}`
}

/** What changes read of the contract as it is now. */
type Contracts = Pick<Context, 'contract' | 'guide' | 'facts' | 'behaviour' | 'examples'>

/**
 * Reads the contract of a folder as it is now: openapi.yaml and guide.yaml, each with all files that
 * it refers to in one object, what they state as facts, spec/behaviour in another object, and where
 * examples show a value of each schema.
 */
async function readContracts(spec: string): Promise<Contracts> {
  const openapi = await bundleDocument(spec, 'openapi')
  const guide = await bundleDocument(spec, 'guide')
  return {
    contract: openapi,
    guide,
    facts: new Set([...listFactPointers(openapi), ...listFactPointers(guide)]),
    behaviour: buildBehaviour(readBehaviour(spec).entries, openapi),
    examples: examplePlaces([openapi, guide]),
  }
}

/** A document in one object. It is not linted, which takes most of the time of a build. */
async function bundleDocument(spec: string, root: 'openapi' | 'guide'): Promise<Node> {
  const config = await loadConfig({ configPath: join(spec, 'redocly.yaml') })
  const ref = join(spec, `${root}.yaml`)
  const { bundle: document } = await bundle({ ref, config: config.forAlias(root) })
  return document.parsed as Node
}

/** The answer to one question but for its text and diff, with the changes that were made. */
interface QuestionResult extends Omit<Answer, 'text' | 'diff'> {
  readonly changes: readonly Change[]
}

/**
 * Edits the copied files as the evidence of one question demands, and returns what was changed and
 * what is left. The question counts as answered if the evidence says something of it, if the changes
 * explain every finding (a difference that the checker reported), and if nothing has still to be
 * observed.
 */
function answerQuestion(context: Context, evidence: Evidence): QuestionResult {
  const { question, observed } = context
  const changes = findChanges(context)
  const isExplained = (finding: Finding) => changes.some(({ explains }) => explains(finding))
  const left = observed.findings.filter((finding) => !isExplained(finding))
  const missing = listMissing(context, changes)
  const wasExercised = observed.verdict !== 'not-exercised'
  // Damaged evidence may say that it contradicts the contract, and not how.
  const isUnexplained = observed.verdict === 'contradicted' && changes.length === 0
  const isAnswered = wasExercised && !isUnexplained && left.length === 0 && missing.length === 0

  // Read before the edits, which move lines: a person reads the places in the contract as it is.
  const places = left.length > 0 ? placesAbout(context) : []
  for (const change of changes) {
    change.apply()
    changeSentences(context, change)
  }
  if (isAnswered) changeRegister(context, changes, evidence)

  return {
    changes,
    question,
    verdict: observed.verdict,
    isAnswered,
    says: uniqueSentences(changes),
    missing,
    left,
    places,
  }
}

/** The changes that follow from what was seen; none unless it contradicts the contract. */
function findChanges(context: Context): readonly Change[] {
  if (context.observed.verdict !== 'contradicted') return []
  return CHANGE_FINDERS.flatMap((find) => find(context))
}

/**
 * What would have to be observed before the question is answered, such as `a response with active`.
 * Empty if the evidence decides it. If it does not, and nothing in particular is missing, it is what
 * the register says would settle the question.
 */
function listMissing(context: Context, changes: readonly Change[]): string[] {
  const { observed, files, question } = context
  if (observed.verdict === 'contradicted') return changes.flatMap(({ missing = [] }) => missing)

  const values = listUnseenValues(context)
  // The statement about a value has its name.
  const statements = observed.unsettled.filter((statement) => !values.includes(statement))
  const missing = [
    ...values.map((value) => `a response with ${value}`),
    ...statements.map((statement) => `a case of the statement "${statement}"`),
  ]
  if (missing.length > 0 || observed.verdict === 'confirmed') return missing
  const whatWouldSettle = files.value({ file: REGISTER, path: [question, 'settled'] })
  return [String(whatWouldSettle)]
}

/**
 * The values of enums that no response showed, such as `rejected`, of the enums whose values the
 * evidence of the question counts.
 */
function listUnseenValues({ observed, contract }: Context): string[] {
  // A value of spec/behaviour, such as an order, has no list of other values to wait for.
  const enums = listPlaces(observed, 'value').filter((at) => !at.startsWith('behaviour#'))
  return enums.flatMap((at) => {
    const counts = countSightings(observed, at, 'value')
    return valuesAt(contract, at).filter((value) => counts[value] === undefined)
  })
}

/**
 * Edits the sentences of the contract about the question, which stand below `x-assumed`. The one of
 * the changed node (`sentenceAt`) becomes what was seen, and all of them get the new names of values.
 */
function changeSentences(context: Context, { says, sentenceAt, renamed = {} }: Change): void {
  const { files, question } = context
  if (sentenceAt) {
    const sentence = placeBelow(sentenceAt, ASSUMED, question)
    if (files.has(sentence)) files.set(sentence, withoutCounts(says))
  }
  for (const [old, name] of Object.entries(renamed)) renameInSentences(context, old, name)
}

/**
 * Gives a value its new name in the sentences about the question, but only where it is in backticks:
 * without them, `active` may be an ordinary word.
 */
function renameInSentences(context: Context, old: string, name: string): void {
  const { files } = context
  const oldNameInBackticks = new RegExp(`\`${old.replaceAll('.', '\\.')}\``, 'g')
  for (const place of sentencesAbout(context)) {
    const hasOldName = String(files.value(place)).includes(`\`${old}\``)
    if (hasOldName) files.replaceWords(place, oldNameInBackticks, `\`${name}\``)
  }
}

/**
 * Where the contract speaks of the question, as `spec/file:line`: its assumption in the register,
 * the entries of spec/behaviour with it as their source, and the sentences below `x-assumed`. A
 * person edits these where no change explains a finding.
 */
function placesAbout(context: Context): string[] {
  const { files, question } = context
  const scalars = files.folder('behaviour').flatMap((file) => files.scalars(file))
  const sources = scalars.filter(
    ({ place, value }) => place.path.at(-1) === 'question' && value === question,
  )
  const places = [
    { file: REGISTER, path: [question, 'assumption'] },
    ...sources.map(({ place }) => place),
    ...sentencesAbout(context),
  ]
  return [...new Set(places.map((place) => `spec/${files.line(place)}`))]
}

/**
 * Records the answer in the entry of the question in open-questions.yaml: its basis becomes
 * `observed`, with the service, the day and the evidence. After a contradiction, the assumption
 * changes too.
 */
function changeRegister(
  { files, question, observed }: Context,
  changes: readonly Change[],
  evidence: Evidence,
): void {
  const entry: Place = { file: REGISTER, path: [question] }
  // Only a contradiction leads to changes.
  const wasContradicted = changes.length > 0
  if (wasContradicted) {
    changeAssumption(files, entry, { changes, observed })
    // The service does not follow the norm that the assumption cited.
    files.removeIfPresent(placeBelow(entry, 'norm'))
  }

  files.set(placeBelow(entry, 'basis'), 'observed')
  files.removeIfPresent(placeBelow(entry, 'observed'))
  files.add(entry, 'observed', {
    service: evidence.service.replace(/\/$/, ''),
    date: evidence.startedAt.slice(0, 10),
    evidence: describeEvidence(evidence, observed),
  })
}

interface Contradiction {
  readonly changes: readonly Change[]
  readonly observed: QuestionEvidence
}

/**
 * Edits the assumption of an entry in open-questions.yaml after a contradiction. If only names of
 * values changed, it gets the new names. Otherwise it says what was seen.
 */
function changeAssumption(
  files: YamlFiles,
  entry: Place,
  { changes, observed }: Contradiction,
): void {
  const place = placeBelow(entry, 'assumption')
  const old = String(files.value(place))
  const withNewNames = renameValues(old, changes)
  const areAllRenamings = changes.every(({ renamed }) => renamed !== undefined)
  const hasOldNames = withNewNames !== old
  if (areAllRenamings && hasOldNames) {
    files.set(place, withNewNames)
    return
  }

  // A part of the old assumption was confirmed, so it stays.
  const sentences = uniqueSentences(changes).map(withoutCounts).join(' ')
  if (isConfirmedInPart(observed)) {
    files.set(place, `${old} Seen instead: ${sentences}`)
    return
  }

  files.set(place, sentences)
}

/** A text with the new names of values. */
function renameValues(text: string, changes: readonly Change[]): string {
  let result = text
  for (const { renamed = {} } of changes)
    for (const [value, name] of Object.entries(renamed))
      result = result.replaceAll(wholeWord(value), name)
  return result
}

/** Whether at least one statement of the question was confirmed in all of its cases. */
function isConfirmedInPart({ statements }: QuestionEvidence): boolean {
  const casesByStatement = Map.groupBy(statements, ({ statement }) => statement)
  for (const cases of casesByStatement.values()) {
    const hasPassed = cases.some(({ passed }) => passed > 0)
    const hasFailed = cases.some(({ failed }) => failed > 0)
    if (hasPassed && !hasFailed) return true
  }
  return false
}

/**
 * What the changes say, without repetitions: sentences that differ only in how often something was
 * seen are one.
 */
function uniqueSentences(changes: readonly Change[]): string[] {
  const bySentence = new Map<string, string>()
  for (const { says } of changes) {
    const sentence = withoutCounts(says)
    if (!bySentence.has(sentence)) bySentence.set(sentence, says)
  }
  return [...bySentence.values()]
}

function withoutCounts(says: string): string {
  return says.replaceAll(/ \(\d+ times\)/g, '')
}

/** Rules that are named; the others are counted. */
const MAX_RULES = 3

/**
 * On what evidence an answer rests, as the register says it: `run, 12 cases of requests-accepted`.
 * `run` is the kind of evidence (the checker sent the requests itself), and then come the rules of the
 * checker that had the cases.
 */
function describeEvidence({ kind }: Evidence, { statements }: QuestionEvidence): string {
  let cases = 0
  for (const { passed, failed } of statements) cases += passed + failed

  const rules = [...new Set(statements.map(({ rule }) => rule))]
  const names = rules.slice(0, MAX_RULES).join(', ')
  const unnamedCount = rules.length - MAX_RULES
  const more = unnamedCount > 0 ? ` and ${unnamedCount} more rules` : ''
  return `${kind}, ${cases} cases of ${names}${more}`
}

/** The folders with YAML files that may change. */
const FOLDERS = ['', 'behaviour', 'paths', 'schemas', 'examples', 'workflows']

/** The texts of the YAML files of a contract, by their names, such as `schemas/keys.yaml`. */
function readTexts(spec: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(spec, folder))) {
      if (!file.endsWith('.yaml')) continue
      const name = folder === '' ? file : `${folder}/${file}`
      texts.set(name, readFileSync(join(spec, name), 'utf8'))
    }
  }
  return texts
}

function changedFiles(spec: string, copy: string): ReadonlyMap<string, string> {
  const before = readTexts(spec)
  const after = [...readTexts(copy)]
  return new Map(after.filter(([name, text]) => before.get(name) !== text))
}
