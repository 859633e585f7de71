import { posix } from 'node:path'
import { fieldsOf, stepsOf, valueAt } from '@partner-payments/contract'
import { contractFiles, openFile, partFiles, readYaml } from './files.ts'
import { isNode, type Node } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { findPlace, type Located } from './places.ts'
import { didYouMean } from './suggest.ts'

/** A reference of a file to a node of a file. */
export interface Reference {
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
  const faults: Located[] = []
  for (const reference of listReferences(spec)) {
    const message = missingTarget(spec, files, reference)
    if (message) faults.push(toLocated(spec, reference.from, reference.at, message))
  }
  return faults
}

/**
 * The message about a `$ref` whose file or node does not exist; undefined if both do.
 *
 * @param files The names of all files of the contract.
 */
function missingTarget(
  spec: string,
  files: readonly string[],
  { ref, file, pointer }: Reference,
): string | undefined {
  if (!files.includes(file)) return missingFile(files, file, ref)

  const root = readYaml<unknown>(spec, file).value
  if (valueAt(root, pointer) !== undefined) return undefined

  const steps = stepsOf(pointer)
  const name = steps.pop()
  if (!name) return `The reference names nothing of ${file}; write the name after "#/".`

  let parent = root
  for (const step of steps) parent = fieldsOf(parent)[step]
  const names = Object.keys(fieldsOf(parent))
  const next = didYouMean(name, names, '; correct the reference.')
  return `${file} has no ${name}${next}`
}

/** The message about a reference to a file that does not exist. */
function missingFile(files: readonly string[], file: string, ref: string): string {
  // A slash in place of the hash, as in `schemas/keys.yaml/Key`.
  const lacksHash = files.some((name) => file.startsWith(`${name}/`))
  const next = lacksHash
    ? `: did you mean ${ref.replace(/\.ya?ml\//, '.yaml#/')}?`
    : didYouMean(file, files, '; correct the reference.')
  return `There is no file ${file}${next}`
}

/**
 * Reports schemas, examples, parameters, responses and paths that nothing refers to, but for
 * themselves.
 */
export function unusedFaults(spec: string): Located[] {
  const references = listReferences(spec)
  const faults: Located[] = []
  for (const component of listComponents(spec)) {
    const isUsed = references.some((reference) => isUseOf(component, reference))
    if (isUsed) continue

    const { file, at, name } = component
    const message = `Nothing refers to ${name}; refer to it, or remove it.`
    faults.push(toLocated(spec, file, at, message))
  }
  return faults
}

/** Whether a reference leads into a component from outside of it. */
function isUseOf({ file, at }: Component, reference: Reference): boolean {
  const leadsIntoComponent = reference.file === file && isWithin(reference.pointer, at)
  const isInComponent = reference.from === file && isWithin(reference.at, at)
  return leadsIntoComponent && !isInComponent
}

/**
 * Reports schemas and examples that have the name of one in another file. Redocly makes one list of
 * all files, and would rename the second.
 */
export function uniqueFaults(spec: string): Located[] {
  const firstFiles = new Map<string, string>()
  const faults: Located[] = []
  for (const { kind, file, at, name } of listComponents(spec)) {
    // A path is no component: its key only names it in its file.
    if (kind === 'paths') continue

    const component = `${kind}/${name}`
    const firstFile = firstFiles.get(component)
    if (firstFile === undefined) {
      firstFiles.set(component, file)
      continue
    }

    const message = `${firstFile} has "${name}" too, and names of ${kind} are unique over all files; rename one of them.`
    faults.push(toLocated(spec, file, at, message))
  }
  return faults
}

/** Whether a pointer is another one, or below it. */
export function isWithin(pointer: string, at: string): boolean {
  return `${pointer}/`.startsWith(`${at}/`)
}

/** What others can refer to: a schema, an example, a parameter, a response or a path. */
interface Component {
  /** Such as `schemas`. */
  readonly kind: string
  readonly file: string
  readonly name: string
  /** The pointer in its file. */
  readonly at: string
}

/**
 * What others can refer to, in all files: the keys of files such as `schemas/keys.yaml`
 * (`{ kind: 'schemas', name: 'KeyCheck' }`), and the schemas and examples of guide.yaml.
 */
function* listComponents(spec: string): Generator<Component> {
  for (const file of partFiles(spec))
    for (const name of Object.keys(readNode(spec, file)))
      yield { kind: readKind(file), file, name, at: pointerBelow('', name) }

  const { schemas, examples } = readNode(spec, 'guide.yaml').components as Record<string, Node>
  for (const [kind, components] of Object.entries({ schemas, examples }))
    for (const name of Object.keys(components ?? {}))
      yield { kind, file: 'guide.yaml', name, at: pointerBelow('/components', kind, name) }
}

/** `schemas` of schemas/keys.yaml, and `parameters` of parameters.yaml. */
function readKind(file: string): string {
  const [folder = ''] = file.replace('.yaml', '').split('/')
  return folder
}

function readNode(spec: string, file: string): Node {
  const { value } = readYaml<unknown>(spec, file)
  return isNode(value) ? value : {}
}

/**
 * All references (`$ref`) of the contract: where each stands (`from`, `at`), and its target (`file`,
 * `pointer`). Collected once for each file, until the file changes.
 */
export function listReferences(spec: string): Reference[] {
  return contractFiles(spec).flatMap((name) => {
    const file = openFile(spec, name)
    const keptReferences = lastReferences.get(file)
    if (keptReferences) return keptReferences

    const references = Array.from(findRefs(file.value(), ''), ({ at, ref }) => ({
      from: name,
      at,
      ref,
      ...readTarget(name, ref),
    }))
    lastReferences.set(file, references)
    return references
  })
}

/** The file and the pointer of a `$ref` in a file. Without a path, it is of the same file. */
function readTarget(from: string, ref: string): Pick<Reference, 'file' | 'pointer'> {
  const [path = '', pointer = ''] = ref.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  return { file, pointer }
}

/** Kept by file, since `dev` checks after each change of one. */
const lastReferences = new WeakMap<object, Reference[]>()

/** Fields that hold data, whose keys are not keywords. */
const DATA: ReadonlySet<string> = new Set(['value', 'example', 'default', 'const', 'enum'])

/**
 * The targets at and below a value, with their pointers: of each `$ref`, and of a discriminator's
 * `mapping`. Skips examples, which are data.
 */
function* findRefs(value: unknown, at: string): Generator<{ at: string; ref: string }> {
  if (typeof value !== 'object' || value === null) return
  const { $ref, mapping, propertyName } = value as Node
  if (typeof $ref === 'string') yield { at: pointerBelow(at, '$ref'), ref: $ref }

  const isDiscriminator = typeof propertyName === 'string' && isNode(mapping)
  if (isDiscriminator)
    for (const [name, ref] of Object.entries(mapping))
      yield { at: pointerBelow(at, 'mapping', name), ref: String(ref) }

  for (const [name, child] of Object.entries(value))
    if (!DATA.has(name)) yield* findRefs(child, pointerBelow(at, name))
}

export function toLocated(spec: string, file: string, at: string, message: string): Located {
  const { line, col } = findPlace(spec, file, at)
  return { file, line, col, message }
}
