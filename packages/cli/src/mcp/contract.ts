import { valueAt } from '@partner-payments/contract'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { CliError } from '../errors.ts'
import { stringOf, type Tool } from './tool.ts'

/** An operation of the contract. Its parameters and its body have no references. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly 'x-effect': 'read' | 'idempotent' | 'once'
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Body | undefined
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: object } }
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly schema: object
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }

const { paths, components } = contract as unknown as {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** Agents call without these fields. */
const NOT_NEEDED: ReadonlySet<string> = new Set([
  'examples',
  'discriminator', // each alternative of a schema has a `const` for what it names
])

export const operations: readonly Operation[] = Object.entries(paths).flatMap(operationsOf)

/** The operations of a path, without references. */
function operationsOf([path, item]: [string, PathItem]): Operation[] {
  const { parameters: shared = [], ...byMethod } = item
  return Object.entries(byMethod).map(([method, operation]) => {
    const { parameters = [], requestBody } = operation
    return {
      ...operation,
      method,
      path,
      ...withoutRefs({ parameters: [...shared, ...parameters], requestBody }),
    }
  })
}

/** Reads nodes as they are, since an agent can read the target of a reference next. */
export const readContract: Tool = {
  description:
    'Read the OpenAPI contract: an operation by its operationId, or a component by its name. References name components.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  annotations: { readOnlyHint: true },
  async call(args) {
    const name = stringOf(args, 'name')
    const node = NODES.get(name)
    if (!node)
      throw new CliError(
        `"${name}" is no operation or component. There are ${[...NODES.keys()].join(', ')}.`,
      )
    return JSON.stringify(node)
  },
}

/** No two components have the same name, and none that of an operation. */
const NODES = new Map<string, object>()
for (const { operationId, path } of operations) NODES.set(operationId, { [path]: paths[path] })
for (const group of Object.values(components)) {
  for (const [name, component] of Object.entries(group)) NODES.set(name, component)
}

/** A copy with each reference replaced by its target. The contract has no recursive schema. */
function withoutRefs<T>(value: T): T
function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...own }: { readonly $ref?: string } = value
  const copy: Record<string, unknown> = {}
  if ($ref) Object.assign(copy, withoutRefs(valueAt(contract, $ref)))
  for (const [name, node] of Object.entries(own)) {
    if (isNeeded(name)) copy[name] = withoutRefs(node)
  }
  return copy
}

/** Agents call without extensions, too. */
function isNeeded(name: string): boolean {
  return !name.startsWith('x-') && !NOT_NEEDED.has(name)
}
