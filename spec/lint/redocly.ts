import { join, relative } from 'node:path'
import { stepsOf, valueAt } from '@partner-payments/contract'
import {
  bundle,
  type Config,
  lint,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { contractFiles, openFile, readYaml } from './files.ts'
import { isNode, type Node } from './marks.ts'
import { type Located, placeIn } from './places.ts'
import { didYouMean, nearestOf } from './suggest.ts'

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
 * Lints and bundles both documents with Redocly. A warning, such as a renamed component, counts as
 * a fault.
 */
export async function bundlesOf(spec: string): Promise<Bundles> {
  const files = contractFiles(spec).map((name) => openFile(spec, name))
  const last = lastBundles.get(spec)
  const isUnchanged =
    last?.files.length === files.length && files.every((file, index) => last.files[index] === file)
  if (last && isUnchanged) return last.bundles

  const bundles = bundled(spec)
  lastBundles.set(spec, { files, bundles })
  return bundles
}

/** Kept, since most changes are of a file beside the contract. */
const lastBundles = new Map<
  string,
  { readonly files: readonly object[]; readonly bundles: Promise<Bundles> }
>()

async function bundled(spec: string): Promise<Bundles> {
  const config = await configOf(spec)
  const problems: NormalizedProblem[] = []
  const contracts: Partial<Record<Root, Node>> = {}
  for (const root of ROOTS) {
    const ofRoot = config.forAlias(root)
    problems.push(...(await lint({ ref: join(spec, `${root}.yaml`), config: ofRoot })))
    contracts[root] = await bundleOf(spec, root, ofRoot, problems)
  }
  return { faults: faultsOf(spec, problems), contracts: contracts as Record<Root, Node> }
}

async function bundleOf(spec: string, root: Root, config: Config, problems: NormalizedProblem[]) {
  const result = await bundle({ ref: join(spec, `${root}.yaml`), config })
  problems.push(...result.problems)
  return result.bundle.parsed as Node
}

/** Lints the Arazzo workflows with Redocly. */
export async function workflowFaults(spec: string, files: readonly string[]): Promise<RuleFault[]> {
  const config = await configOf(spec)
  const problems = await Promise.all(files.map((file) => lint({ ref: join(spec, file), config })))
  return faultsOf(spec, problems.flat())
}

function configOf(spec: string): Promise<Config> {
  return loadConfig({ configPath: join(spec, 'redocly.yaml') })
}

/** The place of a problem, in the words of this lint. */
function faultsOf(spec: string, problems: readonly NormalizedProblem[]): RuleFault[] {
  const shown = problems.filter(({ ignored }) => !ignored)
  const lacking = new Set(shown.map(lackingField).filter((name) => name !== undefined))
  const faults: RuleFault[] = []
  for (const problem of shown) {
    const [location] = problem.location
    const path = location?.source.absoluteRef ?? join(spec, 'openapi.yaml')
    const file = relative(spec, path).replaceAll('\\', '/')
    const pointer = pointerOf(problem)
    const { line, col } = placeIn(spec, file, pointer)
    const message = messageOf(spec, problem, { file, pointer, lacking })
    faults.push({ file, line, col, message, rule: problem.ruleId })
  }

  return once(faults)
}

/** Redocly points to a repeated operationId by its value. */
function pointerOf({ ruleId, location: [location] }: NormalizedProblem): string {
  const pointer = location && 'pointer' in location ? (location.pointer ?? '') : ''
  if (ruleId !== 'operation-operationId-unique') return pointer
  return pointer.replace(/[^/]*$/, 'operationId')
}

/** Each message once: both documents have it, and a field at the wrong column is missing elsewhere. */
function once(faults: readonly RuleFault[]): RuleFault[] {
  const isMoved = faults.some(({ message }) => message.includes('; indent it below '))
  const messages = new Set<string>()
  return faults.filter(({ message }) => {
    const isLack = / lacks the field "\w+"; add it\.$/.test(message)
    if (messages.has(message) || (isMoved && isLack)) return false
    messages.add(message)
    return true
  })
}

interface Where {
  readonly file: string
  readonly pointer: string
  readonly lacking: ReadonlySet<string>
}

function messageOf(spec: string, { message, suggest }: NormalizedProblem, where: Where): string {
  const { file, pointer } = where
  const value = valueAt(readYaml<unknown>(spec, file).value, pointer.replace(/^#/, ''))
  const steps = stepsOf(pointer)
  const name = steps.at(-1) ?? ''

  if (/^Property `.*` is not expected here/.test(message)) {
    return `"${name}" is not a field here${nextOf(spec, suggest, where)}`
  }

  if (message.includes('can be one of the following only')) {
    const values = [...message.matchAll(/"([^"]*)"/g)].map(([, each]) => String(each))
    const nearest = nearestOf(String(value), values)
    const next = nearest ? `: did you mean ${nearest}?` : `; write one of ${values.join(', ')}.`
    return `"${value}" is not a value of ${name}${next}`
  }

  // OpenAPI's own objects are named before the type of JSON: "`Schema` (object)".
  const types = message.match(/^Expected type `(?:\w+` \()?([^`)]*)[`)]+ but got `(.*)`/)
  if (types) {
    // A keyword of the schema, one level too low.
    const isKeyword = steps.at(-2) === 'properties'
    if (isKeyword)
      return `"${name}" of "properties" must be a schema, got ${types[2]}; indent it like "properties", or correct it.`
    const isQuoted =
      typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
    const next = isQuoted ? 'remove the quotes' : 'correct the value'
    // An item of a list is named by the list.
    const named = steps.findLast((step) => !/^\d+$/.test(step))
    return `"${named}" must be ${types[1]}, got ${types[2]}; ${next}.`
  }
  const lacking = message.match(/^Required property '(.*)' is not defined/)
  if (lacking) {
    const at = steps.slice(0, steps.indexOf('required'))
    const properties = nodeAt(spec, file, [...at, 'properties'])
    const names = Object.keys(isNode(properties) ? properties : {})
    const next = didYouMean(lacking[1] ?? '', names, '; add it to "properties".')
    return `"required" names ${lacking[1]}, which is not a property${next}`
  }

  const lack = lackingField({ message })
  if (lack) return `"${steps.at(-1) ?? file}" lacks the field "${lack}"; add it.`

  const repeated = message.match(/^Duplicated enum value found: '(.*)'/)
  if (repeated) return `The enum has "${repeated[1]}" twice; remove one of them.`

  if (message.startsWith('Every operation must have a unique `operationId`')) {
    return `Two operations have the operationId "${value}"; rename one of them.`
  }

  const renamed = message.match(/with the same name but different content. Renamed (\S+) to/)
  if (renamed) return `Two components are named "${renamed[1]}"; rename one of them.`
  return message
}

function nodeAt(spec: string, file: string, steps: readonly string[]): unknown {
  const root = readYaml<unknown>(spec, file).value
  return steps.reduce<unknown>((node, step) => (isNode(node) ? node[step] : undefined), root)
}

/** What to do about a field that its object does not have. */
function nextOf(spec: string, suggest: readonly string[], where: Where): string {
  const steps = stepsOf(where.pointer)
  const name = steps.pop() ?? ''
  const parent = steps.at(-1)
  if (parent === 'paths' && !name.startsWith('/')) return `: did you mean /${name}?`
  if (parent === 'responses') return '; a status has three digits.'

  const holder = where.lacking.has(name) ? holderOf(spec, where, steps) : undefined
  if (holder) return `; indent it below "${holder}".`

  const [meant] = suggest
  return meant ? `: did you mean ${meant}?` : '; correct its name, indent it, or remove it.'
}

/** The key before a misplaced one, which lacks it. */
function holderOf(spec: string, { file, pointer }: Where, steps: readonly string[]) {
  const parent = nodeAt(spec, file, steps)
  const keys = Object.keys(isNode(parent) ? parent : {})
  return keys[keys.indexOf(stepsOf(pointer).at(-1) ?? '') - 1]
}

/** The field of "The field `content` must be present on this level." */
function lackingField({ message }: Pick<NormalizedProblem, 'message'>): string | undefined {
  return message.match(/^The field `(\w+)` must be present/)?.[1]
}
