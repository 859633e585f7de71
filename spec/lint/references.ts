import { posix } from 'node:path'
import { stepsOf, valueAt } from '@partner-payments/contract'
import { contractFiles, openFile, partFiles, readYaml } from './files.ts'
import { isNode, type Node } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { type Located, placeIn } from './places.ts'
import { didYouMean, nearestOf } from './suggest.ts'

/** A reference of a file to a node of a file. */
interface Reference {
  readonly from: string
  /** The pointer of the reference in its file. */
  readonly at: string
  readonly ref: string
  readonly file: string
  readonly pointer: string
}

/** References whose file or node does not exist. */
export function referenceFaults(spec: string): Located[] {
  const files = contractFiles(spec)
  return referencesIn(spec).flatMap((reference) => {
    const message = errorOf(spec, files, reference)
    return message ? [located(spec, reference.from, reference.at, message)] : []
  })
}

function errorOf(
  spec: string,
  files: readonly string[],
  { from, ref, file, pointer }: Reference,
): string | undefined {
  if (!files.includes(file)) {
    const name = nearestOf(file, files)
    const slashed = files.find((candidate) => file.startsWith(`${candidate}/`))
    const withHash = slashed && ref.replace(/\.ya?ml\//, '.yaml#/')
    const meant = withHash ?? name
    const next = meant ? `: did you mean ${meant}?` : '; correct the reference.'
    return `There is no file ${file}${next}`
  }

  const root = readYaml<unknown>(spec, file).value
  if (valueAt(root, pointer) !== undefined) return undefined
  const steps = stepsOf(pointer)
  const name = steps.pop() ?? ''
  const parent = steps.reduce<unknown>((node, step) => childOf(node, step), root)
  const next = didYouMean(
    name,
    Object.keys(isNode(parent) ? parent : {}),
    '; correct the reference.',
  )
  return `${file} has no ${name || from}${next}`
}

function childOf(node: unknown, step: string): unknown {
  return isNode(node) ? node[step] : undefined
}

/** Schemas, examples, parameters, responses and paths that nothing refers to. */
export function unusedFaults(spec: string): Located[] {
  const references = referencesIn(spec)
  const faults: Located[] = []
  for (const { file, at, name } of componentsOf(spec)) {
    const isUsed = references.some((reference) => {
      const isItself = reference.from === file && `${reference.at}/`.startsWith(`${at}/`)
      const isTarget = reference.file === file && `${reference.pointer}/`.startsWith(`${at}/`)
      return isTarget && !isItself
    })
    if (isUsed) continue
    const message = `Nothing refers to ${name}; refer to it, or remove it.`
    faults.push(located(spec, file, at, message))
  }
  return faults
}

function* componentsOf(spec: string) {
  for (const file of partFiles(spec))
    for (const name of Object.keys(nodeOf(spec, file)))
      yield { file, name, at: pointerBelow('', name) }

  const { schemas, examples } = nodeOf(spec, 'guide.yaml').components as Record<string, Node>
  for (const [kind, components] of Object.entries({ schemas, examples }))
    for (const name of Object.keys(components ?? {}))
      yield { file: 'guide.yaml', name, at: pointerBelow('/components', kind, name) }
}

function nodeOf(spec: string, file: string): Node {
  const { value } = readYaml<unknown>(spec, file)
  return isNode(value) ? value : {}
}

function referencesIn(spec: string): Reference[] {
  return contractFiles(spec).flatMap((name) => {
    const file = openFile(spec, name)
    const last = lastReferences.get(file)
    if (last) return last

    const references = [...refsBelow(file.value(), '')].map(({ at, ref }) => {
      const [path = '', pointer = ''] = ref.split('#')
      const target = path ? posix.join(posix.dirname(name), path) : name
      return { from: name, at, ref, file: target, pointer }
    })
    lastReferences.set(file, references)
    return references
  })
}

const lastReferences = new WeakMap<object, Reference[]>()

/** Fields that hold data, whose keys are not keywords. */
const DATA: ReadonlySet<string> = new Set(['value', 'example', 'default', 'const', 'enum'])

function* refsBelow(value: unknown, at: string): Generator<{ at: string; ref: string }> {
  if (typeof value !== 'object' || value === null) return
  const { $ref, mapping, propertyName } = value as Node
  if (typeof $ref === 'string') yield { at: pointerBelow(at, '$ref'), ref: $ref }

  const isDiscriminator = typeof propertyName === 'string' && isNode(mapping)
  if (isDiscriminator)
    for (const [name, ref] of Object.entries(mapping))
      yield { at: pointerBelow(at, 'mapping', name), ref: String(ref) }

  for (const [name, child] of Object.entries(value))
    if (!DATA.has(name)) yield* refsBelow(child, pointerBelow(at, name))
}

function located(spec: string, file: string, at: string, message: string): Located {
  const { line, col } = placeIn(spec, file, at)
  return { file, line, col, message }
}
