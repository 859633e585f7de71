import { join, relative } from 'node:path'
import { fieldsOf, stepsOf, valueAt } from '@partner-payments/contract'
import {
  bundle,
  type Config,
  lint,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { contractFiles, openFile, readYaml } from './files.ts'
import type { Node } from './marks.ts'
import { findPlace, type Located } from './places.ts'
import { didYouMean } from './suggest.ts'

/** The two documents of the contract. */
export const ROOTS = ['openapi', 'guide'] as const

export type Root = (typeof ROOTS)[number]

/** A fault with the rule that found it. */
export interface RuleFault extends Located {
  readonly rule: string
}

export interface Bundles {
  readonly faults: readonly RuleFault[]
  readonly contracts: Readonly<Record<Root, Node>>
}

/**
 * Lints and bundles both documents of the contract with Redocly, unless no file has changed since
 * the last time. A warning, such as a renamed component, counts as a fault.
 */
export async function bundleContracts(spec: string): Promise<Bundles> {
  const files = contractFiles(spec).map((name) => openFile(spec, name))
  const last = lastBundles.get(spec)
  const isUnchanged =
    last?.files.length === files.length && files.every((file, index) => last.files[index] === file)
  if (last && isUnchanged) return last.bundles

  const bundles = lintAndBundle(spec)
  lastBundles.set(spec, { files, bundles })
  return bundles
}

/** Kept, since most changes are of a file beside the contract. */
const lastBundles = new Map<
  string,
  { readonly files: readonly object[]; readonly bundles: Promise<Bundles> }
>()

/** Lints and bundles both documents, also if no file has changed. */
async function lintAndBundle(spec: string): Promise<Bundles> {
  const config = await loadRules(spec)
  const problems: NormalizedProblem[] = []
  const contracts: Partial<Record<Root, Node>> = {}
  for (const root of ROOTS) {
    const options = { ref: join(spec, `${root}.yaml`), config: config.forAlias(root) }
    problems.push(...(await lint(options)))

    const bundled = await bundle(options)
    problems.push(...bundled.problems)
    contracts[root] = bundled.bundle.parsed as Node
  }
  return { faults: toFaults(spec, problems), contracts: contracts as Record<Root, Node> }
}

/** Lints the Arazzo workflows with Redocly. */
export async function workflowFaults(spec: string, files: readonly string[]): Promise<RuleFault[]> {
  const config = await loadRules(spec)
  const problems = await Promise.all(files.map((file) => lint({ ref: join(spec, file), config })))
  return toFaults(spec, problems.flat())
}

function loadRules(spec: string): Promise<Config> {
  return loadConfig({ configPath: join(spec, 'redocly.yaml') })
}

/**
 * The problems that Redocly reports as faults: each with its line, and with a message that says
 * what to do.
 */
function toFaults(spec: string, problems: readonly NormalizedProblem[]): RuleFault[] {
  const reported = problems.filter(({ ignored }) => !ignored)
  const lackingFields = listLackingFields(reported)
  const faults = reported.map((problem) => {
    const file = readFileName(spec, problem)
    const pointer = readPointer(problem)
    const { line, col } = findPlace(spec, file, pointer)
    const message = translate({ ...problem, spec, file, pointer, lackingFields })
    return { file, line, col, message, rule: problem.ruleId }
  })
  return withoutRepeated(faults)
}

/** The names of the fields that any object lacks. */
function listLackingFields(problems: readonly NormalizedProblem[]): Set<string> {
  const names = new Set<string>()
  for (const { message } of problems) {
    const name = lackingField(message)
    if (name !== undefined) names.add(name)
  }
  return names
}

/** The name in spec/ of the file with a problem. Without one, it is of the contract as a whole. */
function readFileName(spec: string, { location: [location] }: NormalizedProblem): string {
  if (!location) return 'openapi.yaml'
  return relative(spec, location.source.absoluteRef).replaceAll('\\', '/')
}

/** Redocly points to a repeated operationId by its value. */
function readPointer({ ruleId, location: [location] }: NormalizedProblem): string {
  const pointer = location && 'pointer' in location ? (location.pointer ?? '') : ''
  if (ruleId !== 'operation-operationId-unique') return pointer
  return pointer.replace(/[^/]*$/, 'operationId')
}

/**
 * Leaves out repeated messages, since a file can belong to both documents. If a field stands at the
 * wrong column, it also leaves out that its object lacks a field.
 */
function withoutRepeated(faults: readonly RuleFault[]): RuleFault[] {
  const hasMisplacedField = faults.some(({ message }) => message.includes('; indent it below '))
  const messages = new Set<string>()
  const kept: RuleFault[] = []
  for (const fault of faults) {
    const isLack = / lacks the field "\w+"; add it\.$/.test(fault.message)
    if (isLack && hasMisplacedField) continue
    if (messages.has(fault.message)) continue
    messages.add(fault.message)
    kept.push(fault)
  }
  return kept
}

/** A problem of Redocly, and where it is. */
interface LocatedProblem extends Pick<NormalizedProblem, 'message' | 'suggest'> {
  readonly spec: string
  readonly file: string
  readonly pointer: string
  /**
   * The names of the fields that any object of the contract lacks. A field at the wrong column is
   * missing from its object, and unexpected in another one.
   */
  readonly lackingFields: ReadonlySet<string>
}

/**
 * The message of this lint for one of Redocly, with the next step. Redocly's own stays if it is none
 * of these.
 */
function translate(problem: LocatedProblem): string {
  const { spec, file, pointer, message } = problem
  const steps = stepsOf(pointer)
  const name = steps.at(-1) ?? ''
  const value = valueAt(readYaml<unknown>(spec, file).value, pointer.replace(/^#/, ''))

  if (UNKNOWN_FIELD.test(message))
    return `"${name}" is not a field here${adviseOnUnknownField(problem)}`

  if (message.includes('can be one of the following only'))
    return `"${value}" is not a value of ${name}${adviseOnValue(value, message)}`

  const types = message.match(EXPECTED_TYPE)
  if (types) {
    const [, expected = '', got = ''] = types
    return wrongType({ steps, value, expected, got })
  }

  const [, requiredName] = message.match(UNDEFINED_REQUIRED) ?? []
  if (requiredName !== undefined)
    return `"required" names ${requiredName}, which is not a property${adviseOnRequired(problem, requiredName)}`

  const lacking = lackingField(message)
  if (lacking) return `"${name || file}" lacks the field "${lacking}"; add it.`

  const [, repeatedValue] = message.match(REPEATED_VALUE) ?? []
  if (repeatedValue !== undefined)
    return `The enum has "${repeatedValue}" twice; remove one of them.`

  if (message.startsWith('Every operation must have a unique `operationId`'))
    return `Two operations have the operationId "${value}"; rename one of them.`

  return message
}

const UNKNOWN_FIELD = /^Property `.*` is not expected here/
/** OpenAPI's own objects are named before the type of JSON: "`Schema` (object)". */
const EXPECTED_TYPE = /^Expected type `(?:\w+` \()?([^`)]*)[`)]+ but got `(.*)`/
const UNDEFINED_REQUIRED = /^Required property '(.*)' is not defined/
const REPEATED_VALUE = /^Duplicated enum value found: '(.*)'/

/** The end of the message about a value that is none of those that Redocly lists in quotes. */
function adviseOnValue(value: unknown, message: string): string {
  const values = Array.from(message.matchAll(/"([^"]*)"/g), ([, quoted]) => String(quoted))
  return didYouMean(String(value), values, `; write one of ${values.join(', ')}.`)
}

/** The end of the message about a name in `required` that is no property of its schema. */
function adviseOnRequired({ spec, file, pointer }: LocatedProblem, name: string): string {
  const steps = stepsOf(pointer)
  const schemaSteps = steps.slice(0, steps.indexOf('required'))
  const properties = listKeys(spec, file, [...schemaSteps, 'properties'])
  return didYouMean(name, properties, '; add it to "properties".')
}

interface WrongType {
  readonly steps: readonly string[]
  readonly value: unknown
  readonly expected: string
  readonly got: string
}

/** The message about a value of another type than OpenAPI expects. */
function wrongType({ steps, value, expected, got }: WrongType): string {
  const isKeywordBelowProperties = steps.at(-2) === 'properties'
  if (isKeywordBelowProperties)
    return `"${steps.at(-1)}" of "properties" must be a schema, got ${got}; indent it like "properties", or correct it.`

  const isQuotedNumber =
    typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
  const next = isQuotedNumber ? 'remove the quotes' : 'correct the value'
  // An item of a list is named by the list.
  const name = steps.findLast((step) => !/^\d+$/.test(step))
  return `"${name}" must be ${expected}, got ${got}; ${next}.`
}

/**
 * The end of the message about a field that its object does not declare: what was probably meant,
 * and what to do.
 */
function adviseOnUnknownField(problem: LocatedProblem): string {
  const { spec, file, pointer, suggest, lackingFields } = problem
  const steps = stepsOf(pointer)
  const name = steps.at(-1) ?? ''
  const objectSteps = steps.slice(0, -1)
  const objectName = objectSteps.at(-1)
  if (objectName === 'paths' && !name.startsWith('/')) return `: did you mean /${name}?`
  if (objectName === 'responses') return '; a status has three digits.'

  const isLackedElsewhere = lackingFields.has(name)
  if (isLackedElsewhere) {
    // Probably by the object above it, below which it belongs.
    const keys = listKeys(spec, file, objectSteps)
    const keyAbove = keys[keys.indexOf(name) - 1]
    if (keyAbove) return `; indent it below "${keyAbove}".`
  }

  const [suggestion] = suggest
  if (suggestion) return `: did you mean ${suggestion}?`
  return '; correct its name, indent it, or remove it.'
}

/** The keys of the object to which steps lead in a file; none if there is no object. */
function listKeys(spec: string, file: string, steps: readonly string[]): string[] {
  const root = readYaml<unknown>(spec, file).value
  const node = steps.reduce<unknown>((parent, step) => fieldsOf(parent)[step], root)
  return Object.keys(fieldsOf(node))
}

/** The field of "The field `content` must be present on this level."; undefined of other messages. */
function lackingField(message: string): string | undefined {
  return message.match(/^The field `(\w+)` must be present/)?.[1]
}
